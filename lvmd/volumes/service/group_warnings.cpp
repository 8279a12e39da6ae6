#include "lvmd/volumes/service/group_warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>

#include "lvmd/model/metadata_space.hpp"
#include "lvmd/model/pool_health.hpp"
#include "lvmd/model/redundancy.hpp"

namespace lvmd::volumes {
namespace {

// Formats the names as "a, b, c and 4 more".
std::string list(const std::vector<std::string>& names) {
  constexpr std::size_t kMostNames = 5;
  const std::size_t shown = std::min(names.size(), kMostNames);
  std::string text = fmt::format("{}", fmt::join(std::span{names}.first(shown), ", "));
  if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

// The names, without duplicates, of the pools of the group's classes for which `condition` holds.
template <typename Condition>
std::vector<std::string> pools_of(const model::VolumeGroup& group,
                                  const model::ClassCatalog& catalog, const Condition& condition) {
  std::vector<std::string> pools;
  for (const model::DeviceClass& device_class : catalog.device_classes) {
    if (device_class.volume_group != group.name || !device_class.thin_pool) continue;
    const model::LogicalVolume* const pool = group.find(device_class.thin_pool->name);
    if (pool != nullptr && std::invoke(condition, *pool) &&
        std::ranges::find(pools, pool->name) == pools.end())
      pools.push_back(pool->name);
  }
  return pools;
}

}  // namespace

std::vector<std::string> unmonitored_pools(const model::VolumeGroup& group,
                                           const model::ClassCatalog& catalog) {
  return pools_of(group, catalog, [&group](const model::LogicalVolume& pool) {
    return group.unmonitored_pools &&
           std::ranges::binary_search(*group.unmonitored_pools, pool.name);
  });
}

std::vector<GroupWarning> find_warnings(const model::VolumeGroup& group,
                                        const model::ClassCatalog& catalog) {
  std::vector<GroupWarning> warnings;
  if (const auto degraded = model::degraded_volumes(group); !degraded.empty())
    warnings.push_back(
        {.subject = "degraded volumes",
         .text = fmt::format("volume group {} has degraded volumes, which another failure may "
                             "destroy: {}; if the disk works again, reactivate it (lvchange "
                             "--refresh), otherwise replace it (lvconvert --repair)",
                             group.name, list(degraded))});
  if (const auto syncing = model::out_of_sync_volumes(group); !syncing.empty())
    warnings.push_back(
        {.subject = "volumes out of sync",
         .text = fmt::format("volume group {} has volumes whose copies are not in sync "
                             "yet: {}; check the progress of the synchronization (lvs -a -o "
                             "name,sync_percent,raid_sync_action {})",
                             group.name, list(syncing), group.name)});
  for (const std::string& pool : pools_of(group, catalog, &model::is_out_of_data_space))
    warnings.push_back({.subject = fmt::format("data space of {}", pool),
                        .text = fmt::format(
                            "thin pool {0}/{1} is out of data space: extend it (lvextend {0}/{1}), "
                            "or remove volumes",
                            group.name, pool)});
  for (const std::string& pool : unmonitored_pools(group, catalog))
    warnings.push_back(
        {.subject = fmt::format("monitoring of {}", pool),
         .text = fmt::format("dmeventd does not monitor thin pool {0}/{1}, so nothing extends it "
                             "before it is full: run `lvchange --monitor y {0}/{1}`. lvmd checks "
                             "it again at the next change of the group",
                             group.name, pool)});
  if (model::is_metadata_nearly_full(group))
    warnings.push_back({.subject = "metadata area",
                        .text = fmt::format(
                            "the metadata area of volume group {} is nearly full: {} of {} bytes "
                            "are left; remove volumes or tags, or add a PV with a larger area "
                            "(pvcreate --metadatasize)",
                            group.name, group.copies.free.value, group.copies.longest_text.value)});
  if (group.copies.damaged)
    for (const std::string& copy : *group.copies.damaged)
      warnings.push_back(
          {.subject = fmt::format("metadata copy {}", copy),
           .text = fmt::format("volume group {} has a damaged copy of its metadata ({}): check "
                               "that disk, then repair the copy with `vgck --updatemetadata {}`, "
                               "or pvck --repairtype metadata if that does not help",
                               group.name, copy, group.name)});
  return warnings;
}

}  // namespace lvmd::volumes
