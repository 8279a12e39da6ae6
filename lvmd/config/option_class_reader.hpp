// The lvcreate-option-classes of lvmd.yaml.
#pragma once

#include <vector>

#include "lvmd/config/mapping.hpp"
#include "lvmd/model/device_class.hpp"

namespace lvmd::config {

// `root` is the whole file. What is wrong is reported. Of two classes with one name the later is
// taken, with a warning.
[[nodiscard]] std::vector<model::OptionClass> read_option_classes(Mapping& root);

}  // namespace lvmd::config
