// Who waits for udev: LVM inside its command, or lvmd itself. docs/adr/0008-udev-and-new-volumes.md
// has the reasons.
#pragma once

#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes::worker {

// LVM opens the parts of a pool by udev's links when it activates it, and those of layouts in the
// administrator's own words when it clears them: then it must wait for udev. Otherwise lvmd waits,
// for the volume's own link only, and while udev works it makes a new volume blank (ADR 8).
[[nodiscard]] bool needs_udev_sync(const model::VolumeGroup& group,
                                   const model::DeviceClass& device_class,
                                   const model::OptionClass* option_class);
// The same for a command on `lv`, which exists.
[[nodiscard]] bool needs_udev_sync(const model::VolumeGroup& group, const model::LogicalVolume& lv);

}  // namespace lvmd::volumes::worker
