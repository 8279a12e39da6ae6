// Limits the names in /dev that LVM looks at.
#pragma once

#include <span>
#include <string>

namespace lvmd::lvm {

// At the beginning of each command, LVM searches its folder of devices, /dev, and looks up each
// name that it finds there. A host has six names for each active volume. While an object of this
// class exists, the LVM library in this process finds in /dev only these devices, by these names,
// and the folders on the way to them (docs/adr/0037). What it looks up by name, such as /dev/VG/LV,
// it finds as before. With no device there is no limit.
//
// The library has no setting for this: devices/scan takes whole folders, and its filters apply to
// the names that it has looked up. So a program that links this file overrides scandir(3). One
// thread, as the LVM library; one object at a time.
class OnlyDevicesFound {
 public:
  // Absolute paths.
  explicit OnlyDevicesFound(std::span<const std::string> devices);
  OnlyDevicesFound(const OnlyDevicesFound&) = delete;
  OnlyDevicesFound& operator=(const OnlyDevicesFound&) = delete;
  ~OnlyDevicesFound();
};

}  // namespace lvmd::lvm
