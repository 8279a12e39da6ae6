// RAII and error handling for libdevmapper's tasks.
#pragma once

#include <libdevmapper.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_c.hpp"
#include "lvmd/model/logical_volume.hpp"

namespace lvmd::devmapper {

using DmTask = UniqueC<dm_task, &dm_task_destroy>;

// The device of a task.
struct ByUuid {
  std::string uuid;
};

// Runs a task of `type` and returns it. Internal or PermissionDenied, with the name of the device,
// if it fails. For DM_DEVICE_INFO and DM_DEVICE_STATUS, a device that does not exist is not an
// error.
[[nodiscard]] Result<DmTask> run_task(int type, const ByUuid& device);

// The state of the device in the result of a task; absent if the device does not exist.
[[nodiscard]] Result<std::optional<model::DeviceState>> device_state(dm_task* task);

// Calls `visit` with type and status line of each target in the result of a DM_DEVICE_STATUS task;
// not at all if the device does not exist. Stops at the first error and returns it.
[[nodiscard]] Status for_each_target(
    dm_task* task,
    const std::function<Status(std::string_view type, const std::string& status)>& visit);

}  // namespace lvmd::devmapper
