// The condition of a volume as CSI returns it [P-CSI-27].
#pragma once

#include <string>

#include "csi.pb.h"
#include "lvmd/v1/mount.pb.h"
#include "lvmd/volumes/service/volume_by_handle.hpp"

namespace lvmd::csi {

// Abnormal if the state of the volume or of its thin pool shows a problem, if its device is
// suspended, or if the kernel has recorded errors of its file system; the message lists all of
// them. `block_devices` is the kernel's folder of block devices, which shows whether a device is
// suspended: the kernel reports no event when that changes.
[[nodiscard]] ::csi::v1::VolumeCondition condition_of(
    const volumes::HandledVolume& volume, const v1::GetUsageResponse& usage,
    const std::string& block_devices = "/sys/dev/block");

}  // namespace lvmd::csi
