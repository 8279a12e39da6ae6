// How much a device class can still give: the one rule that GetFreeBytes, Watch and every check
// share.
#pragma once

#include <cstdint>

#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::model {

// The largest volume that a layout of `stripes` can still get, in bytes, before spare. LVM fills
// the `stripes` PVs that have most room in parallel until one of them is full, then picks again.
// PVs that are missing or not allocatable give nothing. stripes 0 and 1 mean linear.
[[nodiscard]] Bytes largest_volume(const VolumeGroup& group, std::uint32_t stripes);

// What thin pool `pool` may still promise at `overprovision_ratio`, before spare:
// max(0, floor(ratio × pool size) − Σ virtual sizes). Unavailable when the pool doesn't exist.
[[nodiscard]] Result<Bytes> unpromised(const VolumeGroup& group, const ThinPoolTarget& pool);

// What the class offers, spare taken off: thick, the largest volume; thin, the unpromised space.
// Unavailable when the class's thin pool doesn't exist.
[[nodiscard]] Result<Bytes> available(const VolumeGroup& group, const DeviceClass& device_class);

// The thin pool of a class. Unavailable, naming both, when it is absent or isn't a thin pool.
[[nodiscard]] Result<const LogicalVolume*> find_thin_pool(const VolumeGroup& group,
                                                          const ThinPoolTarget& pool);

}  // namespace lvmd::model
