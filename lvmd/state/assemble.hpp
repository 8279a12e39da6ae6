// Combines LVM's metadata with the state of device-mapper.
#pragma once

#include "lvmd/metadata/volume_group_metadata.hpp"
#include "lvmd/model/vg_devices.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::state {

// The group with roles, sizes, paths, devices, usage and `attr`. The volumes are sorted by name and
// include internal volumes. Ignores devices without a volume in the metadata. Pure.
[[nodiscard]] model::VolumeGroup assemble(const metadata::VolumeGroupMetadata& metadata,
                                          const model::VgDevices& devices);

}  // namespace lvmd::state
