#include "reconciler/volumes/removal.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"
#include "reconciler/model/reason.hpp"

namespace lvmd::reconciler {
namespace {

// The name is a UUID, so it is unique.
Result<std::optional<ListedVolume>> find_anywhere(VolumeService& service,
                                                  const std::string& volume) {
  const auto inventory = service.inventory();
  if (!inventory) return std::unexpected(inventory.error());
  const auto found = std::ranges::find(inventory->volumes, volume, &ListedVolume::name);
  if (found != inventory->volumes.end()) return *found;
  if (inventory->unusable.empty()) return std::nullopt;
  const UnusableClass& hidden = inventory->unusable.front();
  return fail(Code::kUnavailable,
              "volume {} may be in device class {}, which cannot be read: {}. The object stays "
              "until that class is usable, or until it is removed from lvmd.yaml",
              volume, hidden.name, hidden.problem)
      .because(own_reason::kClassNotUsable);
}

}  // namespace

Status remove_everywhere(VolumeService& service, const VolumeName& volume, const Key& object) {
  Status removed = service.remove(volume);
  if (removed || removed.error().code != Code::kNotFound ||
      removed.error().reason == reason::kUnknownDeviceClass)
    return removed;
  const auto found = find_anywhere(service, volume.name);
  if (!found) return std::unexpected(found.error());
  if (!*found) return {};
  const ListedVolume& listed = **found;
  log::warning(fmt::format(
      "{}: its volume is not in class \"{}\" but in class \"{}\", as {}: removing it there",
      to_string(object), volume.device_class, listed.device_class, listed.path));
  Status elsewhere = service.remove({.name = listed.name, .device_class = listed.device_class});
  if (!elsewhere && elsewhere.error().code == Code::kNotFound &&
      elsewhere.error().reason != reason::kUnknownDeviceClass)
    return {};
  return elsewhere;
}

Status clear_owner(VolumeService& service, const std::string& volume) {
  const auto found = find_anywhere(service, volume);
  if (!found) return std::unexpected(found.error());
  if (!*found || (*found)->owner.empty()) return {};
  Status cleared =
      service.set_owner({.name = volume, .device_class = (*found)->device_class}, std::string{});
  if (!cleared && cleared.error().reason == reason::kVolumeNotFound) return {};
  return cleared;
}

}  // namespace lvmd::reconciler
