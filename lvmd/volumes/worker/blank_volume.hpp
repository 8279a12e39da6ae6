// Whether nothing is lost when somebody begins to fill a volume.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/model/logical_volume.hpp"

namespace lvmd::volumes::worker {

// FailedPrecondition unless the volume is active and blank [P-MOUNT-7], saying what is on it. Reads
// at most a few MiB of it, for as long as its disks take.
[[nodiscard]] Status check_blank(const model::LogicalVolume& lv);

}  // namespace lvmd::volumes::worker
