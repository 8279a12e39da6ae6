// The fields of one LogicalVolume document.
#pragma once

#include <yaml-cpp/yaml.h>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::directory {

// Fills spec, labels and annotations of `object`, and `absent` [R-DOC-6]. InvalidArgument naming
// field and value when a field has the wrong type [R-DOC-4]. The other fields are filled
// nevertheless.
[[nodiscard]] Status read_object(const YAML::Node& document, LogicalVolume& object, bool& absent);

}  // namespace lvmd::reconciler::directory
