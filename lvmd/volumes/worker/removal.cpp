#include "lvmd/volumes/worker/removal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"

namespace lvmd::volumes::worker {
namespace {

// A thin snapshot does not need its origin, which is in the same pool. A thin volume needs an
// origin outside its pool.
bool is_external_origin_of(const model::LogicalVolume& lv, const model::LogicalVolume& thin) {
  return thin.role == model::LvRole::kThin && thin.origin == lv.name &&
         (lv.role != model::LvRole::kThin || lv.pool != thin.pool);
}

Status refuse(const model::LogicalVolume& lv, std::string_view what,
              const std::vector<std::string>& names) {
  if (names.empty()) return {};
  return fail(Code::kFailedPrecondition, "{} is the {} {}: remove them first", lv.name, what,
              fmt::join(names, ", "))
      .because(reason::kVolumeNeeded)
      .with(key::kHolder, names.front());
}

// The visible volume of which `lv` is a part, or `lv` itself; nullptr if it is unknown.
const model::LogicalVolume* owner_of(const model::VolumeGroup& group,
                                     const model::LogicalVolume& lv) {
  const model::LogicalVolume* at = &lv;
  // The limit ends the loop if the metadata has a cycle.
  for (std::size_t i = 0; at != nullptr && i <= group.logical_volumes.size(); ++i) {
    if (at->is_visible()) return at;
    at = at->part_of.empty() ? nullptr : group.find(at->part_of);
  }
  return nullptr;
}

}  // namespace

Status check_not_needed(const model::VolumeGroup& group, const model::LogicalVolume& lv) {
  std::vector<std::string> snapshots;
  std::vector<std::string> thin_volumes;
  for (const model::LogicalVolume& other : group.logical_volumes) {
    if (other.role == model::LvRole::kCowSnapshot && other.origin == lv.name)
      snapshots.push_back(other.name);
    if (is_external_origin_of(lv, other)) thin_volumes.push_back(other.name);
  }
  if (auto removable = refuse(lv, "origin of the snapshots", snapshots); !removable)
    return removable;
  return refuse(lv, "external origin of the thin volumes", thin_volumes);
}

std::vector<std::string> lost_volumes(const model::VolumeGroup& before,
                                      const model::VolumeGroup& after,
                                      const model::LogicalVolume& removed) {
  if (before.id != after.id) return {};
  std::set<std::string_view> still_there;
  for (const model::LogicalVolume& lv : after.logical_volumes) still_there.insert(lv.id);
  std::vector<std::string> lost;
  for (const model::LogicalVolume& lv : before.logical_volumes) {
    if (still_there.contains(lv.id)) continue;
    const model::LogicalVolume* const owner = owner_of(before, lv);
    if (owner == nullptr || owner->id == removed.id) continue;
    // LVM shows a VDO pool as a volume and removes it with its only volume.
    if (owner->segment_type == "vdo-pool" && removed.segment_type == "vdo") continue;
    lost.push_back(lv.name);
  }
  return lost;
}

Status check_nothing_lost(const model::VolumeGroup& before, const model::VolumeGroup& after,
                          const model::LogicalVolume& removed) {
  const std::vector<std::string> lost = lost_volumes(before, after, removed);
  if (lost.empty()) return {};
  Error error = make_error(
      Code::kInternal,
      "other volumes disappeared while {}/{} was removed: {}. If no other program removed them, "
      "stop writing to volume group {} and run `vgcfgrestore --list {}`",
      before.name, removed.name, fmt::join(lost, ", "), before.name, before.name);
  log::error(error.message, {{log::kVg, before.name}, {log::kLv, removed.name}});
  return std::unexpected(std::move(error));
}

}  // namespace lvmd::volumes::worker
