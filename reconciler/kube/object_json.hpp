// LogicalVolume objects in the API server's JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::kube {

// InvalidArgument when the object has no name or no UID. A field of another type than in the CRD
// counts as absent: the API server does not store such fields.
[[nodiscard]] Result<LogicalVolume> object_from_json(Group group, const nlohmann::json& object);

// The same from text.
[[nodiscard]] Result<LogicalVolume> parse_object(Group group, std::string_view text);

}  // namespace lvmd::reconciler::kube
