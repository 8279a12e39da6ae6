// Checks that writing to a volume destroys no data.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/model/logical_volume.hpp"

namespace lvmd::volumes::worker {

// FailedPrecondition unless the volume is active and blank [P-MOUNT-7]; the message states what was
// found on it. Reads at most a few MiB; no time limit.
[[nodiscard]] Status check_blank(const model::LogicalVolume& lv);

}  // namespace lvmd::volumes::worker
