// spec.backup and spec.restoreFrom of a LogicalVolume document [R-ONLINE-12].
#pragma once

#include <yaml-cpp/yaml.h>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::directory {

// Fills both fields of `out`. The other fields must be filled already. InvalidArgument naming field
// and value.
[[nodiscard]] Status read_repositories(const YAML::Node& spec, VolumeSpec& out);

}  // namespace lvmd::reconciler::directory
