// How much a device class can still give: the one rule that GetFreeBytes, Watch and every check
// share.
#pragma once

#include <cstdint>

#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/layout.hpp"
#include "lvmd/model/pool_health.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::model {

// Bytes that a volume of `layout` can still get, before spare: what LVM's allocator would give
// (allocation.hpp), a multiple of the layout's stripes. Of a layout that lvmd doesn't compute: all
// free extents. PVs that are missing or not allocatable give nothing.
[[nodiscard]] Bytes largest_volume(const VolumeGroup& group, const Layout& layout);

// Whether LVM finds `size`, a multiple of the layout's stripes and extents, for a volume of
// `layout`. True for a layout that lvmd doesn't compute: LVM has the last word.
[[nodiscard]] bool has_space_for(const VolumeGroup& group, const Layout& layout, Bytes size);

// Bytes by which a volume may grow that has several stripes or images on PVs that the state doesn't
// tell: never less than LVM gives, before spare.
[[nodiscard]] Bytes most_growth(const VolumeGroup& group, std::uint32_t areas,
                                std::uint32_t stripes);

// LVM changes no group that misses a PV: Unavailable, naming those that are gone.
[[nodiscard]] Status check_complete(const VolumeGroup& group);

// A pool that is out of data space, or at or above one of its marks, promises nothing more:
// ResourceExhausted naming the pool, its usage and the mark (P-THIN-1, P-POOL-2). An inactive pool
// has no usage and passes.
[[nodiscard]] Status check_pool_space(const VolumeGroup& group, const ThinPoolTarget& pool);

// What thin pool `pool` may still promise at `overprovision_ratio`, before spare:
// max(0, floor(ratio × pool size) − Σ virtual sizes). Unavailable when the pool doesn't exist.
[[nodiscard]] Result<Bytes> provisionable(const VolumeGroup& group, const ThinPoolTarget& pool);

// What the class offers, spare taken off: thick, the largest volume of its layout, or of
// `option_class`'s when one is given; thin, the provisionable space, 0 above a high-water mark. 0
// while the metadata has no room for another volume. Unavailable when LVM would change nothing in
// the group, or the class's thin pool doesn't exist or takes no change.
[[nodiscard]] Result<Bytes> available(const VolumeGroup& group, const DeviceClass& device_class,
                                      const OptionClass* option_class = nullptr);

}  // namespace lvmd::model
