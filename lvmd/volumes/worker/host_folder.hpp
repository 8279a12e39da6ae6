// Directories of the host to which a change must write.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace lvmd::volumes::worker {

// The reason why nothing can be written to the file system of `folder`, for example "the file
// system of /etc/lvm/archive is full". nullopt if it is writable or statvfs(2) fails.
[[nodiscard]] std::optional<std::string> why_not_writable(const std::filesystem::path& folder);

}  // namespace lvmd::volumes::worker
