// LVM settings that restrict a command to given devices.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace lvmd::model {

// Settings for the value of --config, to be appended without a blank. With them, LVM uses only the
// devices `paths` of the host. The settings replace the host's filters and devices file, so `paths`
// must be the devices that LVM reported for the group. Absent if a path contains a character that a
// filter cannot express; device nodes have none. Pure.
[[nodiscard]] std::optional<std::string> only_devices(std::span<const std::string> paths);

}  // namespace lvmd::model
