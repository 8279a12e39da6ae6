// Metadata and device-mapper's view, joined.
#pragma once

#include "lvmd/metadata/volume_group_metadata.hpp"
#include "lvmd/model/vg_devices.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::state {

// The group as callers know it: roles, sizes, paths, devices, usage and `attr` filled, volumes
// sorted by name, internal ones included. Pure. Entries of `devices` that no volume has are
// ignored.
[[nodiscard]] model::VolumeGroup assemble(const metadata::VolumeGroupMetadata& metadata,
                                          const model::VgDevices& devices);

}  // namespace lvmd::state
