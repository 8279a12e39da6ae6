// Finds the volumes that use a missing PV.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/volume_group_metadata.hpp"

namespace lvmd::metadata {

// Sets `partial` of each volume as LVM does: in the order of the text, and after the volumes that
// it needs. `missing` of the PVs must be set. Unimplemented if the volumes are stacked too deeply.
[[nodiscard]] Status mark_partial(VolumeGroupMetadata& group);

}  // namespace lvmd::metadata
