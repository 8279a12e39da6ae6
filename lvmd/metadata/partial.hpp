// Which volumes a missing physical volume breaks.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/volume_group_metadata.hpp"

namespace lvmd::metadata {

// Sets `partial` of each volume as LVM does it, which visits volumes in the order of the text and
// what they need before them. Needs `missing` of the physical volumes. Unimplemented when volumes
// stand on each other deeper than LVM stacks them.
[[nodiscard]] Status mark_partial(VolumeGroupMetadata& group);

}  // namespace lvmd::metadata
