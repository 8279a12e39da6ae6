#include "lvmd/model/volume_group.hpp"

#include <algorithm>
#include <numeric>

namespace lvmd::model {
namespace {

Bytes sum(const VolumeGroup& group, Extents PhysicalVolume::* which) {
  const auto extents = std::accumulate(
      group.physical_volumes.begin(), group.physical_volumes.end(), std::uint64_t{0},
      [which](std::uint64_t total, const PhysicalVolume& pv) { return total + (pv.*which).value; });
  return to_bytes({extents}, group.extent_size);
}

}  // namespace

Bytes VolumeGroup::size() const { return sum(*this, &PhysicalVolume::size); }

Bytes VolumeGroup::free() const { return sum(*this, &PhysicalVolume::free); }

const LogicalVolume* VolumeGroup::find(std::string_view lv_name) const {
  const auto found = std::ranges::lower_bound(logical_volumes, lv_name, {}, &LogicalVolume::name);
  return found != logical_volumes.end() && found->name == lv_name ? &*found : nullptr;
}

}  // namespace lvmd::model
