// Checks of a volume that query its device: whether it is in use, and whether it is blank.
#pragma once

#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/logical_volume.hpp"

namespace lvmd::volumes::worker {

// Before a removal [P-REMOVE-3]: FailedPrecondition if the volume or its device node is mounted, it
// has a holder, or it stays open for 1 s (udev opens it only briefly); the message names the mount
// point or the holder if the kernel reports it. Success if the volume is inactive. Queries the
// kernel, because a change of the open count causes no event and the count in `lv` may be outdated.
[[nodiscard]] Status check_unused(std::string_view vg_id, const model::LogicalVolume& lv);

// FailedPrecondition unless the volume is active and blank, so that writing to it destroys no data
// [P-MOUNT-7]; the message states what was found on it. Reads at most a few MiB; no time limit.
[[nodiscard]] Status check_blank(const model::LogicalVolume& lv);

}  // namespace lvmd::volumes::worker
