// Deactivates a volume before LVM removes it.
#pragma once

#include <optional>

#include "lvmd/devmapper/deactivate.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes::worker {

// The kernel needs about as long to free a volume's device as LVM needs to remove the volume from
// the metadata. LVM does one after the other; after this call both happen at the same time.
//
// If this call deactivated the volume, the caller activates it again if LVM does not remove it.
// Waits while udev has the device open. nullopt for a volume that is not linear or striped, is
// inactive, suspended or in use, while another program holds LVM's lock of the group, or if an
// error occurred, which is logged: LVM deactivates such a volume itself.
[[nodiscard]] std::optional<devmapper::Deactivation> deactivate_early(
    const model::VolumeGroup& group, const model::LogicalVolume& lv);

}  // namespace lvmd::volumes::worker
