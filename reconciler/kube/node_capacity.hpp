// Capacity as annotations of the Node, for TopoLVM's scheduler. Rules: R-CAP-*.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/model/capacity.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::kube {

// The prefixes of the keys. TopoLVM's scheduler reads the second one when it runs with USE_LEGACY.
inline constexpr std::array<std::string_view, 2> kCapacityPrefixes{"capacity.topolvm.io/",
                                                                   "capacity.topolvm.cybozu.com/"};
// Replaces the class name: the class that applies when none is named.
inline constexpr std::string_view kDefaultClass = "00default";

inline constexpr std::string_view kNodesPath = "/api/v1/nodes";
[[nodiscard]] std::string node_path(const std::string& node_name);

// The annotations for `capacity`, with each prefix.
[[nodiscard]] StringMap capacity_annotations(const Capacity& capacity);

// The annotations of a Node object that begin with one of kCapacityPrefixes.
[[nodiscard]] StringMap capacity_of(const nlohmann::json& node);

// Like capacity_of(). Unavailable when `text` is not an object.
[[nodiscard]] Result<StringMap> parse_capacity(std::string_view text);

// The merge patch from the annotations `present` to `wanted`: all of `wanted`, and null for those
// that are removed.
[[nodiscard]] std::string capacity_patch(const StringMap& present, const StringMap& wanted);

}  // namespace lvmd::reconciler::kube
