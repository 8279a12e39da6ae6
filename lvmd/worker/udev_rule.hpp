// udev's part in a new volume: it doesn't look into it before the worker has made it blank.
// systemd/12-lvmd.rules has the rule, docs/adr/0008-udev-and-new-volumes.md the reasons.
#pragma once

#include <filesystem>

#include "lvmd/model/logical_volume.hpp"

namespace lvmd::worker {

enum class UdevRule : bool { kMissing, kInstalled };

// Whether the rule is where udevd looks for rules, is not overridden by the administrator, and
// means the records in `state_directory`. Says so in the log where it isn't.
[[nodiscard]] UdevRule find_udev_rule(const std::filesystem::path& state_directory);

// Has udev look at the device again. An error is logged: the next event of the device does the
// same.
void look_again(const model::DeviceState& device);

}  // namespace lvmd::worker
