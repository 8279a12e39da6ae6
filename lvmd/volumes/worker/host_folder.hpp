// Folders of the host that a change has to write to.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace lvmd::volumes::worker {

// Why nothing can be written to the file system of this folder: "the file system of
// /etc/lvm/archive is full". nullopt when something can be written, or the folder can't be looked
// at.
[[nodiscard]] std::optional<std::string> why_not_writable(const std::filesystem::path& folder);

}  // namespace lvmd::volumes::worker
