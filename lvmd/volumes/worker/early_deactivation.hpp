// Deactivates a volume before LVM removes it.
#pragma once

#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes::worker {

// udev needs as long to remove a volume's links as LVM needs to remove it from the metadata. LVM
// does one after the other; after this call both happen at the same time.
//
// Returns true if this call deactivated the volume; then the caller activates it again if LVM does
// not remove it. False for a volume that is not linear or striped, is inactive, suspended or open,
// while another program holds LVM's lock of the group, or if an error occurred, which is logged:
// LVM deactivates such a volume itself.
[[nodiscard]] bool deactivate_early(const model::VolumeGroup& group,
                                    const model::LogicalVolume& lv);

}  // namespace lvmd::volumes::worker
