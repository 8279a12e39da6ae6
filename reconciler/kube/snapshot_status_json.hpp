// status.snapshot in the API server's JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "reconciler/model/transfer.hpp"

namespace lvmd::reconciler::kube {

// Absent when there is none, or when it has neither a known state nor a phase.
[[nodiscard]] std::optional<SnapshotStatus> snapshot_status_from(const nlohmann::json& object);

// For a merge patch: null for fields that are not set.
[[nodiscard]] nlohmann::json to_json(const std::optional<SnapshotStatus>& snapshot);

}  // namespace lvmd::reconciler::kube
