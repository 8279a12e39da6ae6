// The direct reader held against LVM's own report.
#pragma once

#include <string>

#include "lvmd/model/vg_access.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::system_tests {

// Reads the group from the disks and device-mapper, and from `lvm fullreport`, and fails the case
// where the two differ in any field. What changes by itself isn't compared: whether a volume is
// open (udev opens them for moments) and how full a pool is. A difference counts when it stays:
// while something is on its way (a mirror that gets in sync), the two look at different moments.
// Gives what the direct reader read.
model::VolumeGroup check_readers_agree(const std::string& name, const model::VgAccess& access);

}  // namespace lvmd::system_tests
