// Checks before a removal that the volume is not in use. Rule P-REMOVE-3.
#pragma once

#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/logical_volume.hpp"

namespace lvmd::volumes::worker {

// FailedPrecondition if the volume is mounted, has a holder, or stays open for 1 s (udev opens it
// only briefly); the message names the mount point or the holder if the kernel reports it. Success
// if the volume is inactive. Queries the kernel, because a change of the open count causes no event
// and the count in `lv` may be outdated.
[[nodiscard]] Status check_unused(std::string_view vg_id, const model::LogicalVolume& lv);

}  // namespace lvmd::volumes::worker
