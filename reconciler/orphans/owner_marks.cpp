#include "reconciler/orphans/owner_marks.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <string_view>

#include "lvmd/base/log.hpp"

namespace lvmd::reconciler {
namespace {

constexpr int kMarksAtOnce = 20;

bool still_has_volume(VolumeStore& store, const Claim& claim) {
  const auto object = store.reread(claim.key);
  return object && object->uid == claim.uid && !object->removal_wanted;
}

Status mark(VolumeStore& store, VolumeService& service, const ListedVolume& volume,
            const Claim& claim, const std::string& owner) {
  const VolumeName name{.name = volume.name, .device_class = volume.device_class};
  if (auto marked = service.set_owner(name, owner); !marked) return marked;
  // The object may have been abandoned, and its mark cleared, just before the mark was set.
  if (still_has_volume(store, claim)) return {};
  return service.set_owner(name, std::string{});
}

}  // namespace

void mark_owned(VolumeStore& store, VolumeService& service, const Inventory& inventory,
                const std::vector<Claim>& claims, const std::stop_token& stop) {
  const std::string owner = store.owner();
  if (owner.empty() || !inventory.is_complete) return;
  std::map<std::string_view, const Claim*> holders;
  for (const Claim& claim : claims)
    if (claim.has_volume) holders.emplace(claim.uid, &claim);
  int left = kMarksAtOnce;
  for (const ListedVolume& volume : inventory.volumes) {
    const auto holder = holders.find(volume.name);
    if (holder == holders.end() || volume.owner == owner) continue;
    if (stop.stop_requested() || left-- == 0) return;
    if (const auto marked = mark(store, service, volume, *holder->second, owner); !marked)
      log::warning(fmt::format("cannot set the owner mark of {}, the volume of {}: {}", volume.path,
                               to_string(holder->second->key), describe(marked.error())));
  }
}

}  // namespace lvmd::reconciler
