// status.snapshot as the API server has it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "reconciler/model/transfer.hpp"

namespace lvmd::reconciler::kube {

// Absent when there is none, or one that makes no sense.
[[nodiscard]] std::optional<SnapshotStatus> snapshot_status_from(const nlohmann::json& object);

// For a merge patch: null for what is not there (any more).
[[nodiscard]] nlohmann::json to_json(const std::optional<SnapshotStatus>& snapshot);

}  // namespace lvmd::reconciler::kube
