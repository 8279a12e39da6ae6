// LVM's allocator, in numbers: which free areas it would give to a new volume, and when it gives
// up.
//
// It doesn't look for the best fit. It takes parallel areas on different PVs, one set after the
// other, and doesn't go back: three PVs with four free extents each hold a volume of two stripes
// and eight extents, not twelve. Only its own steps tell what it will give.
// Source: lvm2's lib/metadata/lv_manip.c (_allocate and what it calls), 2.03.16; with
// allocation/maximise_cling on and no cling_tag_list, LVM's defaults.
#pragma once

#include <cstdint>
#include <vector>

#include "lvmd/model/layout.hpp"
#include "lvmd/model/units.hpp"

namespace lvmd::model {

// The lengths of a PV's free areas, in the order on the disk.
using FreeAreas = std::vector<Extents>;

// Whether LVM gives `extents` (of the volume; a multiple of layout.stripes) with this layout from
// these PVs, which are in the order of LVM's metadata. layout.devices doesn't count here.
[[nodiscard]] bool fits(const std::vector<FreeAreas>& pvs, const Layout& layout, Extents extents,
                        Bytes extent_size);

// The largest multiple of layout.stripes that fits.
[[nodiscard]] Extents largest_fit(const std::vector<FreeAreas>& pvs, const Layout& layout,
                                  Bytes extent_size);

}  // namespace lvmd::model
