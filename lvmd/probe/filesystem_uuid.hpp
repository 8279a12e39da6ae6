// The UUID that a file system's superblock has.
#pragma once

#include <optional>
#include <string>

#include "lvmd/base/result.hpp"

namespace lvmd::probe {

// In small letters; absent when there is no file system, or one without a UUID. FailedPrecondition
// when libblkid finds several things at once. Reads only; errors name the path.
[[nodiscard]] Result<std::optional<std::string>> filesystem_uuid(const std::string& device_path);

}  // namespace lvmd::probe
