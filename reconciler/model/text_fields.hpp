// The names of the text fields that both stores have: in the API server's JSON, and in YAML.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "reconciler/model/condition.hpp"
#include "reconciler/model/csi_status.hpp"
#include "reconciler/model/logical_volume.hpp"
#include "reconciler/model/snapshot_class.hpp"
#include "reconciler/model/transfer.hpp"

namespace lvmd::reconciler {

template <typename T, std::size_t kSize>
using TextFields = std::array<std::pair<const char*, std::string T::*>, kSize>;

inline constexpr TextFields<VolumeSpec, 7> kSpecTexts{{
    // First: it decides which node the object belongs to, even if other fields are wrong.
    {"nodeName", &VolumeSpec::node_name},
    {"name", &VolumeSpec::name},
    {"deviceClass", &VolumeSpec::device_class},
    {"lvcreateOptionClass", &VolumeSpec::lvcreate_option_class},
    {"source", &VolumeSpec::source},
    {"accessType", &VolumeSpec::access_type},
    {"vgName", &VolumeSpec::vg_name},
}};

inline constexpr TextFields<Condition, 5> kConditionTexts{{
    {"type", &Condition::type},
    {"status", &Condition::status},
    {"reason", &Condition::reason},
    {"message", &Condition::message},
    {"lastTransitionTime", &Condition::last_transition_time},
}};

// Of status.snapshot.
inline constexpr TextFields<SnapshotStatus, 9> kSnapshotTexts{{
    {"startTime", &SnapshotStatus::start_time},
    {"completionTime", &SnapshotStatus::completion_time},
    {"duration", &SnapshotStatus::duration},
    {"message", &SnapshotStatus::message},
    {"repository", &SnapshotStatus::repository},
    {"snapshotID", &SnapshotStatus::snapshot_id},
    {"backupID", &SnapshotStatus::backup_id},
    {"version", &SnapshotStatus::version},
    {"retryRequestedAt", &SnapshotStatus::retry_requested_at},
}};

// Of status.snapshot.error.
inline constexpr TextFields<TransferError, 3> kErrorTexts{{
    {"code", &TransferError::code},
    {"reason", &TransferError::reason},
    {"message", &TransferError::message},
}};

// Of status.csiFailure.
inline constexpr TextFields<CsiFailure, 3> kCsiFailureTexts{{
    {"call", &CsiFailure::call},
    {"reason", &CsiFailure::reason},
    {"message", &CsiFailure::message},
}};

// The credentials of a repository, without its password.
inline constexpr TextFields<Credentials, 5> kCredentialTexts{{
    {"AWS_ACCESS_KEY_ID", &Credentials::access_key_id},
    {"AWS_SECRET_ACCESS_KEY", &Credentials::secret_access_key},
    {"AWS_SESSION_TOKEN", &Credentials::session_token},
    {"RESTIC_REST_USERNAME", &Credentials::rest_user},
    {"RESTIC_REST_PASSWORD", &Credentials::rest_password},
}};

}  // namespace lvmd::reconciler
