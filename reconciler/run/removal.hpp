// RemoveLV of an object's volume, in whichever class it is.
#pragma once

#include "lvmd/base/result.hpp"
#include "reconciler/lvmd_client/volume_service.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// OK when no usable class of lvmd has the volume of `object` any more. lvmd.yaml may have pointed
// its class at another volume group since the volume was made: then the volume is looked for in
// all classes, and removed where it is [R-DELETE-2]. An unknown class tells nothing of where the
// volume is, and is an error as any other [R-DELETE-3].
[[nodiscard]] Status remove_everywhere(VolumeService& service, const VolumeName& volume,
                                       const Key& object);

}  // namespace lvmd::reconciler
