// Completes a new volume after LVM has committed it.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/volumes/worker/intent.hpp"
#include "lvmd/volumes/worker/lvm_executor.hpp"

namespace lvmd::volumes::worker {

// The next LVM command that `lv` needs to match `intent`: read-only, active, or as large as
// requested. Absent if no command is needed; make_ready() then completes the volume. Pure.
[[nodiscard]] std::optional<lvm::LvmCommand> next_step(const model::VolumeGroup& group,
                                                       const model::LogicalVolume& lv,
                                                       const Intent& intent);

// Completes an active volume: makes it blank (Intent::Kind::kCreate) and makes its links, when udev
// will not remove them any more. Making it blank opens the device exclusively: FailedPrecondition
// if the device is in use. Idempotent.
[[nodiscard]] Status make_ready(const model::LogicalVolume& lv, const Intent& intent,
                                LvmExecutor& executor);

}  // namespace lvmd::volumes::worker
