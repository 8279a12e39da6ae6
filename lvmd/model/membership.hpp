// Which volumes belong to a device class. Pure.
#pragma once

#include <string>

#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::model {

// True if the volume belongs to the class [P-CLASS-3, P-CLASS-4, P-CLASS-5]. The volume is in the
// class's volume group.
[[nodiscard]] bool is_volume_of(const LogicalVolume& lv, const DeviceClass& device_class);

// A description for error messages: "a thin pool", "a thin volume of pool p0", ...
[[nodiscard]] std::string kind_of(const LogicalVolume& lv);

}  // namespace lvmd::model
