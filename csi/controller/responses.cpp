#include "csi/controller/responses.hpp"

#include <google/protobuf/util/time_util.h>

#include <string>

#include "csi/controller/desired_object.hpp"
#include "reconciler/model/condition.hpp"

namespace lvmd::controller {

using reconciler::Condition;
using reconciler::LogicalVolume;
using reconciler::Operation;
using reconciler::SnapshotPhase;

namespace {

bool is_online(const LogicalVolume& snapshot) {
  const auto mode = snapshot.annotations.find(kSnapshotModeAnnotation);
  return snapshot.status.snapshot.has_value() ||
         (mode != snapshot.annotations.end() && mode->second == kOnlineMode);
}

// Null if the volume has no problem.
const Condition* problem_of(const LogicalVolume& object) {
  const Condition* const ready =
      reconciler::find_condition(object.status.conditions, reconciler::kReadyType);
  return ready != nullptr && ready->status == reconciler::kFalse ? ready : nullptr;
}

}  // namespace

api::Volume to_volume(const LogicalVolume& object, const Driver& driver) {
  api::Volume volume;
  volume.set_volume_id(object.status.volume_id);
  volume.set_capacity_bytes(size_of(object).value);
  (*volume.add_accessible_topology()->mutable_segments())[driver.topology_key()] =
      object.spec.node_name;
  return volume;
}

api::VolumeCondition condition_of(const LogicalVolume& object) {
  api::VolumeCondition result;
  const Condition* const problem = problem_of(object);
  result.set_abnormal(problem != nullptr);
  result.set_message(problem != nullptr ? problem->message : "the volume exists");
  return result;
}

api::VolumeHealth health_of(const LogicalVolume& object) {
  api::VolumeHealth result;
  result.set_volume_id(object.status.volume_id);
  const Condition* const problem = problem_of(object);
  if (problem == nullptr) return result;
  auto& status = *result.add_health_statuses();
  status.set_status(object.removal_wanted ? api::DEGRADED : api::INACCESSIBLE);
  status.set_reason(problem->reason);
  status.set_message(problem->message);
  return result;
}

std::string source_volume(const LogicalVolume& snapshot, const LogicalVolume* source) {
  const auto recorded = snapshot.annotations.find(kSourceVolumeAnnotation);
  if (recorded != snapshot.annotations.end()) return recorded->second;
  if (source != nullptr && !source->status.volume_id.empty()) return source->status.volume_id;
  return snapshot.spec.source;
}

bool is_ready(const LogicalVolume& snapshot) {
  if (snapshot.status.volume_id.empty()) return false;
  if (!is_online(snapshot)) return true;
  const auto& backup = snapshot.status.snapshot;
  return backup && backup->operation == Operation::kBackup &&
         backup->phase == SnapshotPhase::kSucceeded;
}

Status backup_of(const LogicalVolume& snapshot) {
  const auto& backup = snapshot.status.snapshot;
  if (!backup || backup->operation != Operation::kBackup ||
      backup->phase != SnapshotPhase::kFailed || (backup->error && backup->error->transient))
    return {};
  return fail(Code::kInternal,
              "the backup of snapshot {} failed: {}. After the cause is corrected, set the "
              "annotation {} of LogicalVolume {}",
              snapshot.status.volume_id, backup->error ? backup->error->message : backup->message,
              reconciler::kRetryAnnotation, snapshot.key.name);
}

api::Snapshot to_snapshot(const LogicalVolume& snapshot, const std::string& source_volume) {
  api::Snapshot result;
  result.set_snapshot_id(snapshot.status.volume_id);
  result.set_source_volume_id(source_volume);
  result.set_size_bytes(size_of(snapshot).value);
  result.set_ready_to_use(is_ready(snapshot));
  // The API server writes a valid time.
  google::protobuf::util::TimeUtil::FromString(snapshot.creation_timestamp,
                                               result.mutable_creation_time());
  return result;
}

}  // namespace lvmd::controller
