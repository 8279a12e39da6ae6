// Volumes that lvmd made for a device class which the configuration doesn't have any more: nobody
// can grow or remove them by their class [P-RELOAD-2].
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes {

// By the class that the volumes' tags name: how many there are. A class that is another group's now
// counts as gone from this one.
using VolumesWithoutClass = std::map<std::string, std::size_t>;

[[nodiscard]] VolumesWithoutClass find_volumes_without_class(const model::VolumeGroup& group,
                                              const model::ClassCatalog& catalog);

// "2 volumes carry device class old, …", with what to do about it; empty when there are none.
[[nodiscard]] std::string describe(const VolumesWithoutClass& volumes);

}  // namespace lvmd::volumes
