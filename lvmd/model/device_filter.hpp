// LVM's settings that hold a command to given devices.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace lvmd::model {

// To be appended to the value of --config, without a blank: with them LVM looks at the devices
// `paths`, and at no other on the host. The paths are those that LVM itself gave: filters and
// devices file, whose place the settings take, have been applied to them already. Absent for a path
// that a filter can't tell: no device has one. Pure.
[[nodiscard]] std::optional<std::string> only_devices(std::span<const std::string> paths);

}  // namespace lvmd::model
