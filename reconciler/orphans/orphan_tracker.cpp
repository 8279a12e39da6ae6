#include "reconciler/orphans/orphan_tracker.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>

#include "reconciler/model/uuid.hpp"

namespace lvmd::reconciler {
namespace {

// Only lvmd can tell the class of spec.vgName. The volume counts as missing only when another
// volume of its volume group was listed.
bool was_listed(const Claim& claim, const Inventory& inventory) {
  if (!claim.device_class.empty() || claim.vg_name.empty())
    return inventory.classes.contains(claim.device_class);
  return std::ranges::any_of(inventory.volumes, [&](const ListedVolume& volume) {
    return volume.path.starts_with("/dev/" + claim.vg_name + "/");
  });
}

}  // namespace

void OrphanTracker::update(const Inventory& inventory, const std::vector<Claim>& claims, Time now) {
  has_objects_ = !claims.empty();
  std::set<std::string_view> claimed;
  for (const Claim& claim : claims) claimed.insert(claim.uid);
  std::set<std::string_view> present;
  std::map<std::string, Orphan> orphans;
  for (const ListedVolume& volume : inventory.volumes) {
    present.insert(volume.name);
    if (!is_uuid(volume.name) || claimed.contains(volume.name)) continue;
    const auto known = orphans_.find(volume.path);
    orphans.emplace(
        volume.path,
        Orphan{.volume = volume, .since = known == orphans_.end() ? now : known->second.since});
  }
  orphans_ = std::move(orphans);
  missing_.clear();
  for (const Claim& claim : claims)
    if (claim.has_volume && !present.contains(claim.uid) && was_listed(claim, inventory))
      missing_.push_back(claim);
}

std::vector<ListedVolume> OrphanTracker::removable(Time now, std::chrono::milliseconds grace,
                                                   const std::string& owner) const {
  std::vector<ListedVolume> volumes;
  if (!has_objects_ || owner.empty()) return volumes;
  for (const auto& [path, orphan] : orphans_)
    if (orphan.volume.owner == owner && now - orphan.since >= grace)
      volumes.push_back(orphan.volume);
  return volumes;
}

}  // namespace lvmd::reconciler
