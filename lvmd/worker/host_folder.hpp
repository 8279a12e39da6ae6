// Folders of the host that a change has to write to.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace lvmd::worker {

// Why nothing can be written to the file system of this folder: "the file system of
// /etc/lvm/archive is full". nullopt when something can be written, or the folder can't be looked
// at.
[[nodiscard]] std::optional<std::string> why_not_writable(const std::filesystem::path& folder);

// The same for the folders that LVM keeps copies of its metadata in, unless lvm.conf names others.
// A command that can't write a copy fails and changes nothing.
[[nodiscard]] std::optional<std::string> why_lvm_keeps_no_copies();

}  // namespace lvmd::worker
