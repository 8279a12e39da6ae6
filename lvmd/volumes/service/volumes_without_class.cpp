#include "lvmd/volumes/service/volumes_without_class.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "lvmd/model/ownership.hpp"

namespace lvmd::volumes {

VolumesWithoutClass find_volumes_without_class(const model::VolumeGroup& group,
                                               const model::ClassCatalog& catalog) {
  VolumesWithoutClass volumes;
  for (const model::LogicalVolume& lv : group.logical_volumes) {
    const auto ownership = model::ownership_of(lv.tags);
    // A tag with an empty name would match the default class.
    if (!ownership || ownership->device_class.empty()) continue;
    const auto* const device_class = catalog.find_device_class(ownership->device_class);
    if (device_class == nullptr || device_class->volume_group != group.name)
      ++volumes[ownership->device_class];
  }
  return volumes;
}

std::string describe(const VolumesWithoutClass& volumes) {
  if (volumes.empty()) return {};
  std::vector<std::string> parts;
  for (const auto& [name, count] : volumes)
    parts.push_back(fmt::format("{} of device class {}", count, name));
  return fmt::format(
      "volumes of classes that lvmd.yaml does not have for this group: {}; restore the class "
      "there, "
      "or remove the volumes with lvremove",
      fmt::join(parts, ", "));
}

}  // namespace lvmd::volumes
