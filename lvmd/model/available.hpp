// The space that a device class can still provide [P-AVAIL]. GetFreeBytes, Watch and the space
// checks share these functions. Pure.
#pragma once

#include <cstdint>

#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/layout.hpp"
#include "lvmd/model/pool_health.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::model {

// The size in bytes of the largest volume of `layout` that LVM can allocate (allocation.hpp),
// before spare: a multiple of the layout's stripes. For a layout that lvmd does not compute: all
// free extents. PVs that are missing or not allocatable do not count.
[[nodiscard]] Bytes largest_volume(const VolumeGroup& group, const Layout& layout);

// True if LVM can allocate a volume of `layout` with `size`, a multiple of stripes and extents.
// Also true for a layout that lvmd does not compute: then only LVM can decide.
[[nodiscard]] bool has_space_for(const VolumeGroup& group, const Layout& layout, Bytes size);

// An upper bound in bytes for the growth of a volume with several stripes or images, before spare.
// The state does not show on which PVs the volume is, so LVM may allocate less, but never more.
[[nodiscard]] Bytes most_growth(const VolumeGroup& group, std::uint32_t areas,
                                std::uint32_t stripes);

// LVM refuses to change a group with missing PVs: returns Unavailable and names them.
[[nodiscard]] Status check_complete(const VolumeGroup& group);

// ResourceExhausted if the pool is out of data space, or at or above one of its high-water marks
// [P-THIN-1, P-POOL-2]. The message names the pool, its usage and the mark. OK for an inactive
// pool, whose usage is unknown, and for a pool that does not exist.
[[nodiscard]] Status check_pool_space(const VolumeGroup& group, const ThinPoolTarget& pool);

// The virtual size in bytes that the thin pool can still provide, before spare:
// max(0, floor(overprovision_ratio × pool size) − Σ virtual sizes). Unavailable if the pool does
// not exist.
[[nodiscard]] Result<Bytes> provisionable(const VolumeGroup& group, const ThinPoolTarget& pool);

// available(class) of docs/protocol.md in bytes, less spare. Thick: the largest volume of the
// class's layout, or of the layout of `option_class` if it is not null. Thin: the provisionable
// space; 0 at or above a high-water mark. 0 if the metadata area has no space for another volume.
// Unavailable if the group has missing PVs, or if the class's thin pool does not exist or cannot be
// changed.
[[nodiscard]] Result<Bytes> available(const VolumeGroup& group, const DeviceClass& device_class,
                                      const OptionClass* option_class = nullptr);

}  // namespace lvmd::model
