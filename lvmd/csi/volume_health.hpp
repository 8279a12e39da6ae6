// The health of a volume as CSI returns it, in the form of CSI 1.13 and in that of CSI 1.12
// [P-CSI-27, P-CSI-28].
#pragma once

#include <string>

#include "csi.pb.h"
#include "lvmd/v1/mount.pb.h"
#include "lvmd/volumes/service/volume_by_handle.hpp"

namespace lvmd::csi {

// The problems of the volume: its state or that of its thin pool shows one, its device is inactive
// or suspended, or the kernel has recorded errors of its file system. `block_devices` is the
// kernel's folder of block devices, which shows whether a device is suspended: the kernel reports
// no event when that changes.
[[nodiscard]] ::csi::v1::VolumeHealth health_of(
    const volumes::HandledVolume& volume, const v1::GetUsageResponse& usage,
    const std::string& block_devices = "/sys/dev/block");

// Abnormal if there is a problem; the message lists all of them.
[[nodiscard]] ::csi::v1::VolumeCondition condition_of(const ::csi::v1::VolumeHealth& health);

}  // namespace lvmd::csi
