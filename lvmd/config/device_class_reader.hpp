// Reads `device-classes` of lvmd.yaml.
#pragma once

#include <vector>

#include "lvmd/config/mapping.hpp"
#include "lvmd/model/device_class.hpp"

namespace lvmd::config {

// `root` is the mapping of the whole file. Reports errors and warnings there. The result is valid
// only if there was no error.
[[nodiscard]] std::vector<model::DeviceClass> read_device_classes(Mapping& root);

}  // namespace lvmd::config
