// A simulation of LVM's allocator: whether it finds space for a new volume, and how much. Pure.
//
// LVM does not search for the best fit. It takes sets of parallel areas on different PVs, one set
// after another, and never revises a choice: three PVs with four free extents each hold a volume of
// two stripes and eight extents, not twelve. So only the same steps give the same result.
// Source: lvm2's lib/metadata/lv_manip.c (_allocate and its callees), 2.03.16, with LVM's defaults
// allocation/maximise_cling=1 and no cling_tag_list.
#pragma once

#include <cstdint>
#include <vector>

#include "lvmd/model/layout.hpp"
#include "lvmd/model/units.hpp"

namespace lvmd::model {

// The lengths of the free areas of a PV, in their order on the disk.
using FreeAreas = std::vector<Extents>;

// True if LVM can allocate a volume of `extents` with this layout on these PVs. `extents` is a
// multiple of layout.stripes; `pvs` is in the order of LVM's metadata. Ignores layout.devices.
[[nodiscard]] bool fits(const std::vector<FreeAreas>& pvs, const Layout& layout, Extents extents,
                        Bytes extent_size);

// The size of the largest volume that LVM can allocate: a multiple of layout.stripes.
[[nodiscard]] Extents largest_fit(const std::vector<FreeAreas>& pvs, const Layout& layout,
                                  Bytes extent_size);

}  // namespace lvmd::model
