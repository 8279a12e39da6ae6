// Capacity as annotations of the Node, where TopoLVM's scheduler looks for it. Rules: R-CAP-*.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/model/capacity.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::kube {

// What the keys begin with: TopoLVM's scheduler looks for the second when it runs with USE_LEGACY.
inline constexpr std::array<std::string_view, 2> kCapacityPrefixes{"capacity.topolvm.io/",
                                                                   "capacity.topolvm.cybozu.com/"};
// In the place of a class: the one that is meant where none is named.
inline constexpr std::string_view kDefaultClass = "00default";

inline constexpr std::string_view kNodesPath = "/api/v1/nodes";
[[nodiscard]] std::string node_path(const std::string& node_name);

// The annotations that say `capacity`, under each prefix.
[[nodiscard]] StringMap capacity_annotations(const Capacity& capacity);

// Those annotations of a Node object that begin with one of kCapacityPrefixes.
[[nodiscard]] StringMap capacity_of(const nlohmann::json& node);

// As capacity_of(). Unavailable when `text` is no object.
[[nodiscard]] Result<StringMap> parse_capacity(std::string_view text);

// The merge patch that leads from the annotations `present` to `wanted`: all that are wanted, and
// null for those that go.
[[nodiscard]] std::string capacity_patch(const StringMap& present, const StringMap& wanted);

}  // namespace lvmd::reconciler::kube
