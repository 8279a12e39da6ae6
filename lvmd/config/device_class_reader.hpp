// The device-classes of lvmd.yaml.
#pragma once

#include <vector>

#include "lvmd/config/mapping.hpp"
#include "lvmd/model/device_class.hpp"

namespace lvmd::config {

// `root` is the whole file. Whatever breaks a rule is reported there; the result is of use only
// when nothing was.
[[nodiscard]] std::vector<model::DeviceClass> read_device_classes(Mapping& root);

}  // namespace lvmd::config
