// Which volumes belong to which class, and what to call one that doesn't.
#pragma once

#include <string>

#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::model {

// Rules P-CLASS-3 to P-CLASS-5.
[[nodiscard]] bool is_volume_of(const LogicalVolume& lv, const DeviceClass& device_class);

// "a thin pool", "a thin volume of pool p0", "an internal volume", ...
[[nodiscard]] std::string kind_of(const LogicalVolume& lv);

}  // namespace lvmd::model
