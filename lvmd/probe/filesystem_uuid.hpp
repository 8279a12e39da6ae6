// Reads the UUID in the superblock of a file system.
#pragma once

#include <optional>
#include <string>

#include "lvmd/base/result.hpp"

namespace lvmd::probe {

// Returns the UUID in lower case, or nothing when the device has no file system or a file system
// without a UUID. FailedPrecondition when libblkid finds several file systems. Only reads. Errors
// contain the path.
[[nodiscard]] Result<std::optional<std::string>> filesystem_uuid(const std::string& device_path);

}  // namespace lvmd::probe
