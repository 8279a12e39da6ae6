// libdevmapper's tasks with an owner and an Error.
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

// Which device a task is about.
struct ByUuid {
  std::string uuid;
};

// A task of `type` that has run. Internal, naming the device, when it can't run; that there is no
// such device is no error for DM_DEVICE_INFO and DM_DEVICE_STATUS.
[[nodiscard]] Result<DmTask> run_task(int type, const ByUuid& device);

// What a task that has run says of its device; absent when there is no such device.
[[nodiscard]] Result<std::optional<model::DeviceState>> device_state(dm_task* task);

// Calls `visit` with type and status of each target of the device that a DM_DEVICE_STATUS task has
// asked for; not at all when there is no such device. Ends with the first error.
[[nodiscard]] Status for_each_target(
    dm_task* task,
    const std::function<Status(std::string_view type, const std::string& status)>& visit);

}  // namespace lvmd::devmapper
