// LogicalVolume objects as the API server writes them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::kube {

// InvalidArgument when it has no name or no UID. Fields of another type than the CRD says are taken
// as absent: the API server doesn't store such.
[[nodiscard]] Result<LogicalVolume> object_from_json(Group group, const nlohmann::json& json);

// The same from text.
[[nodiscard]] Result<LogicalVolume> parse_object(Group group, std::string_view text);

}  // namespace lvmd::reconciler::kube
