// The fields of one LogicalVolume document.
#pragma once

#include <yaml-cpp/yaml.h>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::directory {

// Fills spec, labels and annotations of `object`, and `absent` [R-DOC-6]. InvalidArgument naming
// field and value when one has another type than it must have [R-DOC-4]; the others are filled all
// the same.
[[nodiscard]] Status read_object(const YAML::Node& document, LogicalVolume& object, bool& absent);

}  // namespace lvmd::reconciler::directory
