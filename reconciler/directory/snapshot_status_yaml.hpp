// status.snapshot in a status file [R-ONLINE-7].
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>

#include "lvmd/base/result.hpp"
#include "reconciler/model/transfer.hpp"

namespace lvmd::reconciler::directory {

// As a mapping of the fields that are set.
void emit_snapshot(YAML::Emitter& out, const SnapshotStatus& snapshot);

// Absent when there is no node. InvalidArgument naming the field.
[[nodiscard]] Result<std::optional<SnapshotStatus>> parse_snapshot(const YAML::Node& node);

}  // namespace lvmd::reconciler::directory
