#include "lvmd/model/available.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>
#include <vector>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/allocation.hpp"
#include "lvmd/model/metadata_space.hpp"

namespace lvmd::model {
namespace {

// True if LVM may allocate extents on the PV.
bool is_usable(const PhysicalVolume& pv) { return !pv.missing && pv.allocatable; }

FreeAreas free_areas_of(const PhysicalVolume& pv) {
  if (pv.free_areas.empty() && pv.free.value > 0) return {pv.free};
  return pv.free_areas;
}

// Absent if the layout names a PV by a path that is not in the group's state.
std::optional<std::vector<FreeAreas>> usable_areas(const VolumeGroup& group, const Layout& layout) {
  std::vector<FreeAreas> areas;
  const auto add = [&areas](const PhysicalVolume& pv) {
    if (is_usable(pv)) areas.push_back(free_areas_of(pv));
  };
  if (layout.devices.empty()) std::ranges::for_each(group.physical_volumes, add);
  for (const std::string& device : layout.devices) {
    const auto pv = std::ranges::find(group.physical_volumes, device, &PhysicalVolume::device);
    if (pv == group.physical_volumes.end()) return std::nullopt;
    add(*pv);
  }
  return areas;
}

Bytes all_free(const VolumeGroup& group) { return most_growth(group, 1, 1); }

Status check_mark(std::string_view what, const std::string& pool, double percent,
                  const std::optional<double>& mark) {
  if (!mark || percent < *mark) return {};
  return fail(Code::kResourceExhausted,
              "thin pool {} has a {} usage of {:.2f} %, at or above its high-water mark of {} %: "
              "extend the pool, or remove volumes",
              pool, what, percent, *mark)
      .because(reason::kPoolAboveMark)
      .with(key::kPool, pool)
      .with(key::kValue, percent)
      .with(key::kLimit, *mark);
}

// TopoLVM computes in double, too. A wider type would keep the rounding error of the ratio: 2.3 ×
// 10 GiB would be one byte less than 23 GiB. A double represents the size of a pool exactly.
Bytes provisioning_limit(const LogicalVolume& pool, double ratio) {
  const double limit = std::floor(static_cast<double>(pool.size.value) * ratio);
  constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
  if (limit >= static_cast<double>(kMax)) return {kMax};
  return {static_cast<std::uint64_t>(limit)};
}

// Virtual sizes can be petabytes, so the sum saturates instead of overflowing.
Bytes add(Bytes a, Bytes b) {
  const std::uint64_t sum = a.value + b.value;
  return {sum < a.value ? std::numeric_limits<std::uint64_t>::max() : sum};
}

}  // namespace

Bytes largest_volume(const VolumeGroup& group, const Layout& layout) {
  const auto areas = usable_areas(group, layout);
  if (!layout.computable || !areas) return all_free(group);
  return to_bytes(largest_fit(*areas, layout, group.extent_size), group.extent_size);
}

bool has_space_for(const VolumeGroup& group, const Layout& layout, Bytes size) {
  const auto areas = usable_areas(group, layout);
  if (!layout.computable || !areas) return true;
  return fits(*areas, layout, {size.value / group.extent_size.value}, group.extent_size);
}

Bytes most_growth(const VolumeGroup& group, std::uint32_t areas, std::uint32_t stripes) {
  std::vector<std::uint64_t> free;
  for (const PhysicalVolume& pv : group.physical_volumes)
    if (is_usable(pv)) free.push_back(pv.free.value);
  // A row takes one extent from each of `areas` PVs. A PV with enough free extents takes part in
  // every row; the other PVs must fill the remaining places of the rows.
  std::ranges::sort(free, std::greater{});
  std::uint64_t left = std::accumulate(free.begin(), free.end(), std::uint64_t{0});
  std::uint64_t rows = free.size() < areas ? 0 : left / areas;
  for (std::size_t i = 0; i + 1 < areas && i < free.size(); ++i) {
    left -= free[i];
    rows = std::min(rows, left / (areas - i - 1));
  }
  return to_bytes({rows * stripes}, group.extent_size);
}

Status check_complete(const VolumeGroup& group) {
  std::vector<std::string> missing;
  for (const PhysicalVolume& pv : group.physical_volumes)
    if (pv.missing) missing.push_back(pv.id);
  if (missing.empty()) return {};
  return fail(
      Code::kUnavailable,
      "volume group {} lacks the PVs {}, and LVM refuses to change it: restore them "
      "(vgextend --restoremissing), or remove them from the group (vgreduce --removemissing)",
      group.name, fmt::join(missing, ", "));
}

Status check_pool_space(const VolumeGroup& group, const ThinPoolTarget& pool) {
  const LogicalVolume* const found = group.find(pool.name);
  if (found == nullptr || !found->usage) return {};
  const std::string name = fmt::format("{}/{}", group.name, pool.name);
  if (is_out_of_data_space(*found))
    return fail(Code::kResourceExhausted,
                "thin pool {} is out of data space: extend it (lvextend), or remove volumes", name)
        .because(reason::kNotEnoughSpace)
        .with(key::kPool, pool.name)
        .with(key::kAvailable, 0);
  if (auto low = check_mark("data", name, found->usage->data_percent, pool.data_high_water_percent);
      !low)
    return low;
  return check_mark("metadata", name, found->usage->metadata_percent,
                    pool.metadata_high_water_percent);
}

Result<Bytes> provisionable(const VolumeGroup& group, const ThinPoolTarget& pool) {
  const auto found = find_thin_pool(group, pool);
  if (!found) return std::unexpected(found.error());
  Bytes provisioned;
  for (const LogicalVolume& lv : group.logical_volumes)
    if (lv.role == LvRole::kThin && lv.pool == pool.name) provisioned = add(provisioned, lv.size);
  return minus_floor_zero(provisioning_limit(**found, pool.overprovision_ratio), provisioned);
}

Result<Bytes> available(const VolumeGroup& group, const DeviceClass& device_class,
                        const OptionClass* option_class) {
  if (auto complete = check_complete(group); !complete) return std::unexpected(complete.error());
  const bool has_metadata_space = check_metadata_space(group, kLeastVolumeText).has_value();
  if (!device_class.thin_pool) {
    if (!has_metadata_space) return Bytes{0};
    const Layout layout = layout_of(lvcreate_arguments(device_class, option_class));
    const Bytes free = minus_floor_zero(largest_volume(group, layout), device_class.spare);
    // Round down to whole rows, so that a request for exactly this size succeeds.
    const std::uint64_t row = layout.stripes * group.extent_size.value;
    return Bytes{free.value / row * row};
  }
  if (auto usable = check_pool_usable(group, device_class); !usable)
    return std::unexpected(usable.error());
  const auto free = provisionable(group, *device_class.thin_pool);
  if (!free) return free;
  if (!has_metadata_space || !check_pool_space(group, *device_class.thin_pool)) return Bytes{0};
  return minus_floor_zero(*free, device_class.spare);
}

}  // namespace lvmd::model
