// Volumes that lvmd created for a device class that the configuration no longer has: clients can't
// resize or remove them through a class [P-RELOAD-2].
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes {

// The number of volumes by the class that their tags name. A class that now belongs to another
// group counts as removed from this one.
using VolumesWithoutClass = std::map<std::string, std::size_t>;

[[nodiscard]] VolumesWithoutClass find_volumes_without_class(const model::VolumeGroup& group,
                                                             const model::ClassCatalog& catalog);

// A description that says what to do; empty when there are no such volumes.
[[nodiscard]] std::string describe(const VolumesWithoutClass& volumes);

}  // namespace lvmd::volumes
