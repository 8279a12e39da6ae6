// Removes an object's volume, or its owner mark, in whichever class the volume is.
#pragma once

#include <string>

#include "lvmd/base/result.hpp"
#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// RemoveLV. OK when no configured class has the volume of `object` any more. If lvmd.yaml has moved
// the class to another volume group since the creation, the volume is searched in all classes, and
// removed where it is. Unavailable while it is not found and a class cannot be read [R-DELETE-2].
// An unknown class is an error, because it does not show where the volume is [R-DELETE-3].
[[nodiscard]] Status remove_everywhere(VolumeService& service, const VolumeName& volume,
                                       const Key& object);

// OK when no volume of that name has an owner, so that it is never removed as an orphan.
// Unavailable while the volume is not found and a class cannot be read [R-DELETE-5].
[[nodiscard]] Status clear_owner(VolumeService& service, const std::string& volume);

}  // namespace lvmd::reconciler
