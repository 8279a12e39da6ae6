// From "LVM has committed it" to "somebody may use it": what a new volume still needs.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/volumes/worker/intent.hpp"
#include "lvmd/volumes/worker/lvm_executor.hpp"

namespace lvmd::volumes::worker {

// The first thing that `lv`, as it is now, lacks of being what `intent` wants, in LVM's terms:
// active, as large as wanted, read-only as wanted. Nothing: only the node is left to do. Pure.
[[nodiscard]] std::optional<lvm::LvmCommand> next_step(const model::VolumeGroup& group,
                                                       const model::LogicalVolume& lv,
                                                       const Intent& intent);

// Makes an active volume ready: blank, if it is a created one, and with udev's link. Opens the
// device exclusively: FailedPrecondition when somebody uses it. Idempotent.
[[nodiscard]] Status make_ready(const model::LogicalVolume& lv, const Intent& intent,
                                const LvmExecutor& executor);

}  // namespace lvmd::volumes::worker
