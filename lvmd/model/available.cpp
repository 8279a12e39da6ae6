#include "lvmd/model/available.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace lvmd::model {
namespace {

std::vector<std::uint64_t> usable_extents(const VolumeGroup& group) {
  std::vector<std::uint64_t> free;
  for (const PhysicalVolume& pv : group.physical_volumes)
    if (!pv.missing && pv.allocatable && pv.free.value > 0) free.push_back(pv.free.value);
  return free;
}

// In double, as TopoLVM computes it: a wider type would keep the ratio's own rounding error and,
// for 2.3 × 10 GiB, end one byte below 23 GiB. Pool sizes are exact in a double.
Bytes promised_limit(const LogicalVolume& pool, double ratio) {
  const double limit = std::floor(static_cast<double>(pool.size.value) * ratio);
  constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
  if (limit >= static_cast<double>(kMax)) return {kMax};
  return {static_cast<std::uint64_t>(limit)};
}

// Virtual sizes may be petabytes each: their sum stops at the largest number instead of wrapping.
Bytes add(Bytes a, Bytes b) {
  const std::uint64_t sum = a.value + b.value;
  return {sum < a.value ? std::numeric_limits<std::uint64_t>::max() : sum};
}

}  // namespace

Bytes largest_volume(const VolumeGroup& group, std::uint32_t stripes) {
  std::vector<std::uint64_t> free = usable_extents(group);
  const std::size_t width = std::max<std::size_t>(stripes, 1);
  std::uint64_t extents = 0;
  while (free.size() >= width) {
    std::ranges::sort(free, std::greater{});
    const std::uint64_t rows = free[width - 1];
    extents += rows * width;
    for (std::size_t i = 0; i < width; ++i) free[i] -= rows;
    std::erase(free, std::uint64_t{0});
  }
  return to_bytes({extents}, group.extent_size);
}

Result<const LogicalVolume*> find_thin_pool(const VolumeGroup& group, const ThinPoolTarget& pool) {
  const LogicalVolume* const found = group.find(pool.name);
  if (found == nullptr)
    return fail(Code::kUnavailable, "thin pool {}/{} does not exist", group.name, pool.name);
  if (found->role != LvRole::kThinPool)
    return fail(Code::kUnavailable, "{}/{} is not a thin pool", group.name, pool.name);
  return found;
}

Result<Bytes> unpromised(const VolumeGroup& group, const ThinPoolTarget& pool) {
  const auto found = find_thin_pool(group, pool);
  if (!found) return std::unexpected(found.error());
  Bytes promised;
  for (const LogicalVolume& lv : group.logical_volumes)
    if (lv.role == LvRole::kThin && lv.pool == pool.name) promised = add(promised, lv.size);
  return minus_floor_zero(promised_limit(**found, pool.overprovision_ratio), promised);
}

Result<Bytes> available(const VolumeGroup& group, const DeviceClass& device_class) {
  if (!device_class.thin_pool)
    return minus_floor_zero(largest_volume(group, device_class.stripes), device_class.spare);
  const auto free = unpromised(group, *device_class.thin_pool);
  if (!free) return free;
  return minus_floor_zero(*free, device_class.spare);
}

}  // namespace lvmd::model
