// Reads `lvcreate-option-classes` of lvmd.yaml.
#pragma once

#include <vector>

#include "lvmd/config/mapping.hpp"
#include "lvmd/model/device_class.hpp"

namespace lvmd::config {

// `root` is the mapping of the whole file. Reports errors and warnings there. If two classes have
// the same name, returns the later one and reports a warning.
[[nodiscard]] std::vector<model::OptionClass> read_option_classes(Mapping& root);

}  // namespace lvmd::config
