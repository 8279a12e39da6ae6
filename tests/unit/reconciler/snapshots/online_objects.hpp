// Objects, sources and transfers for the cases about online snapshots, and checks of steps.
#pragma once

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "reconciler/app/plan.hpp"
#include "reconciler/snapshots/snapshot_status.hpp"

namespace lvmd::reconciler::test {

inline constexpr Bytes kWanted{1073741824};
inline const LocationName kStorage{.namespace_name = "backups", .name = "s3"};
inline const SnapshotClass kOnline{.mode = "online", .storage = kStorage};
inline const std::string kBase = "s3:https://minio/bucket";
inline const std::string kRepository = "s3:https://minio/bucket/shop/data";

inline OnlineRules enabled(RestoreGate gate = RestoreGate::kPhase) {
  return {.enabled = true, .gate = gate};
}

inline Conditions good_conditions() {
  return {{.type = "Ready", .status = "True", .reason = "Provisioned"},
          {.type = "Resized", .status = "True", .reason = "SizeReached"}};
}

// A snapshot with its volume, and a volume that is created from a snapshot.
inline LogicalVolume snapshot_object() {
  LogicalVolume volume;
  volume.key.name = "snapshot-1";
  volume.uid = "uid-s";
  volume.spec = {.name = "snapshot-1",
                 .node_name = "n1",
                 .size = "1Gi",
                 .source = "origin",
                 .access_type = "ro"};
  volume.has_metadata = volume.has_finalizer = true;
  volume.status = {.volume_id = "uid-s", .current_size = kWanted, .conditions = good_conditions()};
  return volume;
}

inline LogicalVolume new_clone() {
  LogicalVolume volume;
  volume.key.name = "pvc-2";
  volume.uid = "uid-r";
  volume.spec = {.name = "pvc-2",
                 .node_name = "n2",
                 .size = "1Gi",
                 .device_class = "ssd",
                 .source = "snapshot-1",
                 .access_type = "rw"};
  return volume;
}

inline SnapshotStatus transfer_status(Operation operation, SnapshotPhase phase) {
  return {.operation = operation,
          .phase = phase,
          .repository = kRepository,
          .storage = kStorage,
          .snapshot_id = "4bba301e",
          .backup_id = "uid-s",
          .version = "lvmd.v1",
          .attempts = 1};
}

// The object's whole status after a report of `snapshot`.
inline VolumeStatus with_snapshot(const LogicalVolume& object, SnapshotStatus snapshot) {
  return merge(object, report_of(object, std::move(snapshot)));
}

inline LogicalVolume backed_up(SnapshotPhase phase) {
  LogicalVolume volume = snapshot_object();
  volume.status = with_snapshot(volume, transfer_status(Operation::kBackup, phase));
  return volume;
}

inline LogicalVolume restored(SnapshotPhase phase) {
  LogicalVolume volume = new_clone();
  volume.has_metadata = volume.has_finalizer = true;
  volume.restore_from = "uid-s";
  volume.status = {.volume_id = "uid-r", .current_size = kWanted, .conditions = good_conditions()};
  volume.status = with_snapshot(volume, transfer_status(Operation::kRestore, phase));
  return volume;
}

inline LogicalVolume removed(LogicalVolume volume) {
  volume.removal_wanted = volume.removal_begun = true;
  return volume;
}

// The snapshot as the source of a volume.
inline Source snapshot_source(std::optional<SnapshotStatus> snapshot) {
  return {.exists = true,
          .node_name = "n1",
          .volume_id = "uid-s",
          .size = kWanted,
          .uid = "uid-s",
          .spec_name = "snapshot-1",
          .is_snapshot = true,
          .snapshot = std::move(snapshot)};
}

inline Source origin_source() {
  return {.exists = true,
          .node_name = "n1",
          .volume_id = "uid-o",
          .size = kWanted,
          .uid = "uid-o",
          .spec_name = "pvc-1"};
}

struct Observed {
  VolumeObserved volume{};
  SnapshotObserved snapshot{};
};

inline Step plan(const LogicalVolume& object, const Observed& observed) {
  return reconciler::plan(object, observed.volume, observed.snapshot);
}

template <typename S>
S step_of(const Step& step) {
  const S* const found = get_kind<S>(step);
  REQUIRE(found != nullptr);
  return *found;
}

// The whole status that the next step writes.
inline VolumeStatus written(const LogicalVolume& object, const Observed& observed) {
  const Step step = plan(object, observed);
  if (const auto* const report = get_kind<WriteReport>(step)) return merge(object, report->report);
  return merge(object, step_of<WriteStatus>(step).status);
}

inline SnapshotStatus snapshot_in(const LogicalVolume& object, const Observed& observed) {
  const VolumeStatus status = written(object, observed);
  REQUIRE(status.snapshot.has_value());
  return *status.snapshot;
}

inline Condition condition_in(const VolumeStatus& status, std::string_view type) {
  const Condition* const found = find_condition(status.conditions, type);
  return found == nullptr ? Condition{} : *found;
}

inline Transfer running(std::uint64_t done = 0) {
  return {.phase = TransferPhase::kRunning,
          .step = "copying",
          .progress = {.total_bytes = 100, .done_bytes = done},
          .start_time = std::chrono::system_clock::time_point{std::chrono::seconds{1000}}};
}

inline Transfer ended(TransferPhase phase) {
  Transfer transfer = running(100);
  transfer.phase = phase;
  transfer.completion_time = std::chrono::system_clock::time_point{std::chrono::seconds{1061}};
  return transfer;
}

inline Transfer failed(bool transient) {
  Transfer transfer = ended(TransferPhase::kFailed);
  transfer.error = TransferError{.code = "SnapshotExecutionFailed",
                                 .reason = "RepositoryUnreachable",
                                 .message = "no route to minio",
                                 .transient = transient};
  return transfer;
}

inline LogicalVolume failed_backup(bool transient, std::uint32_t attempts = 1) {
  LogicalVolume volume = backed_up(SnapshotPhase::kRunning);
  SnapshotStatus snapshot = advance(*volume.status.snapshot, failed(transient));
  snapshot.attempts = attempts;
  volume.status = with_snapshot(volume, snapshot);
  return volume;
}

}  // namespace lvmd::reconciler::test
