#include "reconciler/run/removal.hpp"

#include <fmt/format.h>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"

namespace lvmd::reconciler {

Status remove_everywhere(VolumeService& service, const VolumeName& volume, const Key& object) {
  Status removed = service.remove(volume);
  if (removed || removed.error().code != Code::kNotFound ||
      removed.error().reason == reason::kUnknownDeviceClass)
    return removed;
  const auto inventory = service.inventory();
  if (!inventory) return std::unexpected(inventory.error());
  for (const ListedVolume& listed : inventory->volumes) {
    // The name is a UUID: no other volume has it.
    if (listed.name != volume.name) continue;
    log::warning(
        fmt::format("{}: class \"{}\" doesn't have its volume, class \"{}\" does, as {}: "
                    "removing it there",
                    to_string(object), volume.device_class, listed.device_class, listed.path));
    Status elsewhere = service.remove({.name = listed.name, .device_class = listed.device_class});
    if (!elsewhere && elsewhere.error().code != Code::kNotFound) return elsewhere;
  }
  return {};
}

}  // namespace lvmd::reconciler
