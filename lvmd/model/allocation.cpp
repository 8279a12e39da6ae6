#include "lvmd/model/allocation.hpp"

#include <algorithm>
#include <bit>

#include "lvmd/model/allocator.hpp"

namespace lvmd::model {
namespace {

constexpr std::uint64_t kRowsTried = 8;

constexpr std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

std::uint64_t total(const std::vector<FreeAreas>& pvs) {
  std::uint64_t extents = 0;
  for (const FreeAreas& areas : pvs)
    for (const Extents length : areas) extents += length.value;
  return extents;
}

// The bitmap has one bit per region. A region is at most as large as the volume. RAID doubles the
// region size until there are at most 2^21 regions.
std::uint64_t region_bytes(const Layout& layout, std::uint64_t extents, Bytes extent_size) {
  const std::uint64_t volume = extents * extent_size.value;
  std::uint64_t region = std::min(layout.region_size.value, std::bit_floor(volume));
  if (layout.raid_metadata)
    while (region < volume >> 21U) region *= 2;
  return region;
}

Extents raid_metadata(const Layout& layout, std::uint64_t extents, Bytes extent_size) {
  if (!layout.raid_metadata) return {0};
  const std::uint64_t image = divide_up(extents, layout.stripes) * extent_size.value;
  const std::uint64_t regions = image / region_bytes(layout, extents, extent_size);
  // Two superblocks of 4 KiB each, and the bitmap.
  return {divide_up(8192 + divide_up(regions, 8), extent_size.value)};
}

Extents mirror_log(const Layout& layout, std::uint64_t extents, Bytes extent_size) {
  const std::uint64_t bytes = extents / layout.stripes * extent_size.value;
  const std::uint64_t regions = divide_up(bytes, region_bytes(layout, extents, extent_size));
  // The kernel's header of 1 KiB, and the bitmap in units of 32 bits.
  return {divide_up(1024 + divide_up(regions, 32) * 4, extent_size.value)};
}

std::uint64_t extents_needed(const Layout& layout, std::uint64_t extents, Bytes extent_size) {
  return extents / layout.stripes * layout.areas() +
         raid_metadata(layout, extents, extent_size).value * layout.areas();
}

}  // namespace

bool fits(const std::vector<FreeAreas>& pvs, const Layout& layout, Extents extents,
          Bytes extent_size) {
  if (extents_needed(layout, extents.value, extent_size) > total(pvs)) return false;
  Allocator allocator{pvs, layout, raid_metadata(layout, extents.value, extent_size)};
  allocator.allocate(extents);
  if (allocator.allocated() < extents) return false;
  return layout.logs == 0 ||
         allocator.longest_area_left() >= mirror_log(layout, extents.value, extent_size);
}

Extents largest_fit(const std::vector<FreeAreas>& pvs, const Layout& layout, Bytes extent_size) {
  // With one area at a time, LVM finds every free area.
  if (layout.areas() == 1 && layout.policy == AllocationPolicy::kNormal) return {total(pvs)};
  const auto fit = [&](std::uint64_t rows) {
    return fits(pvs, layout, {rows * layout.stripes}, extent_size);
  };
  std::uint64_t too_many = total(pvs) / layout.areas() + 1;
  if (layout.policy != AllocationPolicy::kContiguous) {
    // A request for all space shows what LVM can find. A smaller request may find a few rows more
    // if the free space is in many pieces. Metadata and logs reduce the result.
    Allocator allocator{pvs, layout, raid_metadata(layout, layout.stripes, extent_size)};
    allocator.allocate({too_many * layout.stripes});
    const std::uint64_t found = allocator.allocated().value / layout.stripes;
    for (std::uint64_t rows = std::min(found + kRowsTried, too_many - 1); rows >= found; --rows)
      if (rows == 0 || fit(rows)) return {rows * layout.stripes};
    too_many = found;
  }
  std::uint64_t enough = 0;
  while (enough + 1 < too_many) {
    const std::uint64_t middle = enough + (too_many - enough) / 2;
    (fit(middle) ? enough : too_many) = middle;
  }
  return {enough * layout.stripes};
}

}  // namespace lvmd::model
