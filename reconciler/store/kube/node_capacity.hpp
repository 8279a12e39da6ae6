// Capacity as annotations of the Node, where TopoLVM's scheduler looks for it. Rules: R-CAP-*.
#pragma once

#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/model/capacity.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::kube {

inline constexpr std::string_view kCapacityPrefix = "capacity.topolvm.io/";
// Of the class that is meant where none is named.
inline constexpr std::string_view kDefaultClassKey = "capacity.topolvm.io/00default";

[[nodiscard]] std::string node_path(const std::string& node_name);

// The annotations that say `capacity`.
[[nodiscard]] StringMap capacity_annotations(const Capacity& capacity);

// Those annotations of a Node object that begin with kCapacityPrefix. Unavailable when `text` is no
// object.
[[nodiscard]] Result<StringMap> parse_capacity(std::string_view text);

// The merge patch that leads from the annotations `present` to `wanted`: all that are wanted, and
// null for those that go.
[[nodiscard]] std::string capacity_patch(const StringMap& present, const StringMap& wanted);

}  // namespace lvmd::reconciler::kube
