// Decides whether LVM waits for udev within its command (docs/adr/0008-udev-and-new-volumes.md).
#pragma once

#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes::worker {

// True if LVM opens devices by udev's links within the command, so it must wait for udev: the parts
// of a pool when LVM activates the pool, and the parts of a layout from configured lvcreate
// arguments when LVM clears them. Otherwise lvmd makes a new volume blank and makes its links
// itself. Pure.
[[nodiscard]] bool needs_udev_sync(const model::VolumeGroup& group,
                                   const model::DeviceClass& device_class,
                                   const model::OptionClass* option_class);
// The same for a command on the existing volume `lv`.
[[nodiscard]] bool needs_udev_sync(const model::VolumeGroup& group, const model::LogicalVolume& lv);

}  // namespace lvmd::volumes::worker
