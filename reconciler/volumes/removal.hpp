// The end of an object's hold on its volume, in whichever class that is.
#pragma once

#include <string>

#include "lvmd/base/result.hpp"
#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// RemoveLV. OK when no configured class has the volume of `object` any more. lvmd.yaml may have
// pointed its class at another volume group since the volume was made: then the volume is looked
// for in all classes, and removed where it is. Unavailable while it isn't found, and some class
// can't be asked [R-DELETE-2]. An unknown class tells nothing of where the volume is, and is an
// error as any other [R-DELETE-3].
[[nodiscard]] Status remove_everywhere(VolumeService& service, const VolumeName& volume,
                                       const Key& object);

// OK when no volume of that name has an owner, so that none is removed as an orphan. Unavailable
// while it isn't found, and some class can't be asked [R-DELETE-5].
[[nodiscard]] Status clear_owner(VolumeService& service, const std::string& volume);

}  // namespace lvmd::reconciler
