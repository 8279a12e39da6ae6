#include "reconciler/snapshots/snapshot_status.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "reconciler/model/condition.hpp"
#include "reconciler/model/reason.hpp"
#include "reconciler/volumes/failure.hpp"
#include "reconciler/volumes/provisioned.hpp"

namespace lvmd::reconciler {
namespace {

SnapshotStatus pending(const LogicalVolume& desired, Operation operation) {
  return {.operation = operation,
          .phase = SnapshotPhase::kPending,
          .version = std::string{kStoredVersion},
          .attempts = 1,
          .retry_requested_at = retry_request(desired)};
}

SnapshotStatus pending_for_same_backup(const LogicalVolume& desired, Operation operation) {
  const SnapshotStatus& before = *desired.status.snapshot;
  SnapshotStatus snapshot = pending(desired, operation);
  snapshot.repository = before.repository;
  snapshot.storage = before.storage;
  snapshot.snapshot_id = before.snapshot_id;
  snapshot.backup_id = before.backup_id;
  return snapshot;
}

// What conditions and errors say about an operation.
struct OperationWords {
  std::string_view condition_type;
  std::string_view running;
  std::string_view succeeded;
  std::string_view failed_code;
};

OperationWords words_of(Operation operation) {
  switch (operation) {
    case Operation::kBackup:
      return {kBackupReadyType, own_reason::kBackupRunning, own_reason::kBackupSucceeded,
              "SnapshotExecutionFailed"};
    case Operation::kRestore:
      return {kRestoreReadyType, own_reason::kRestoreRunning, own_reason::kRestoreSucceeded,
              "RestoreExecutionFailed"};
    case Operation::kDelete:
      return {kSnapshotDeletedType, own_reason::kDeleteRunning, own_reason::kDeleteSucceeded,
              "DeleteExecutionFailed"};
  }
  return {};
}

Condition condition_of(const SnapshotStatus& snapshot) {
  const OperationWords words = words_of(snapshot.operation);
  switch (snapshot.phase) {
    case SnapshotPhase::kPending:
      return make_condition(words.condition_type, kUnknown, own_reason::kPending);
    case SnapshotPhase::kRunning:
      return make_condition(words.condition_type, kUnknown, words.running);
    case SnapshotPhase::kSucceeded:
      return make_condition(words.condition_type, kTrue, words.succeeded);
    case SnapshotPhase::kFailed:
      break;
  }
  if (!snapshot.error) return make_condition(words.condition_type, kFalse, words.failed_code);
  const TransferError& error = *snapshot.error;
  return make_condition(words.condition_type, kFalse,
                        error.reason.empty() ? error.code : error.reason, error.message);
}

// The error of a failed transfer, with defaults for what lvmd did not report.
TransferError error_of(Operation operation, const Transfer& transfer) {
  TransferError error = transfer.error.value_or(TransferError{});
  if (error.code.empty()) error.code = words_of(operation).failed_code;
  if (error.message.empty())
    error.message = transfer.phase == TransferPhase::kCancelled
                        ? "the transfer was cancelled"
                        : "lvmd did not report a reason for the failure";
  return error;
}

SnapshotStatus ended(SnapshotStatus snapshot, const Transfer& transfer) {
  if (transfer.completion_time) {
    snapshot.completion_time = to_timestamp(*transfer.completion_time);
    if (transfer.start_time)
      snapshot.duration = format_duration(std::chrono::duration_cast<std::chrono::seconds>(
          *transfer.completion_time - *transfer.start_time));
  }
  if (transfer.phase == TransferPhase::kSucceeded) {
    snapshot.phase = SnapshotPhase::kSucceeded;
    snapshot.message.clear();
    if (!transfer.snapshot_id.empty()) snapshot.snapshot_id = transfer.snapshot_id;
    return snapshot;
  }
  snapshot.phase = SnapshotPhase::kFailed;
  snapshot.error = error_of(snapshot.operation, transfer);
  snapshot.message = snapshot.error->message;
  return snapshot;
}

std::string_view blocked_condition(const LogicalVolume& desired) {
  if (desired.removal_wanted) return kSnapshotDeletedType;
  const auto& snapshot = desired.status.snapshot;
  if (snapshot && snapshot->operation == Operation::kBackup &&
      snapshot->phase == SnapshotPhase::kSucceeded)
    return kSnapshotCleanedType;
  if (snapshot) return words_of(snapshot->operation).condition_type;
  return desired.restore_from.empty() ? kBackupReadyType : kRestoreReadyType;
}

}  // namespace

SnapshotStatus pending_backup(const LogicalVolume& desired, const LocationName& storage) {
  SnapshotStatus snapshot = pending(desired, Operation::kBackup);
  snapshot.storage = storage;
  snapshot.backup_id = desired.uid;
  return snapshot;
}

SnapshotStatus pending_restore(const LogicalVolume& desired) {
  SnapshotStatus snapshot = pending(desired, Operation::kRestore);
  const auto& requested = desired.spec.restore_from;
  if (requested && requested->backup.empty()) {
    snapshot.repository = requested->repository;
    snapshot.storage = requested->storage;
    snapshot.snapshot_id = requested->snapshot_id;
  } else {
    snapshot.backup_id = desired.restore_from;
  }
  return snapshot;
}

SnapshotStatus pending_deletion(const LogicalVolume& desired) {
  return pending_for_same_backup(desired, Operation::kDelete);
}

SnapshotStatus pending_again(const LogicalVolume& desired, bool requested) {
  const SnapshotStatus& before = *desired.status.snapshot;
  SnapshotStatus snapshot = pending_for_same_backup(desired, before.operation);
  snapshot.attempts = requested ? 1 : before.attempts + 1;
  return snapshot;
}

SnapshotStatus advance(const SnapshotStatus& before, const Transfer& transfer) {
  SnapshotStatus after = before;
  const bool failed = has_ended(transfer) && transfer.phase != TransferPhase::kSucceeded;
  if (transfer.start_time) after.start_time = to_timestamp(*transfer.start_time);
  if (transfer.progress != TransferProgress{}) after.progress = transfer.progress;
  // A transfer that succeeded at once was Running before, and the status shows that first.
  if (before.phase == SnapshotPhase::kRunning || failed) {
    if (has_ended(transfer)) return ended(std::move(after), transfer);
  }
  after.phase = SnapshotPhase::kRunning;
  after.message = transfer.step;
  after.error.reset();
  return after;
}

std::optional<Transfer> refused_transfer(Operation operation, const Error& error) {
  const bool is_waiting = is_transient(error.code) || error.code == Code::kResourceExhausted ||
                          error.code == Code::kUnimplemented;
  if (is_waiting) return std::nullopt;
  return Transfer{.phase = TransferPhase::kFailed,
                  .error = TransferError{.code = std::string{words_of(operation).failed_code},
                                         .reason = camel_case(reason_of(error)),
                                         .message = describe(error),
                                         .transient = error.code == Code::kInternal}};
}

SnapshotReport report_of(const LogicalVolume& desired, SnapshotStatus snapshot) {
  SnapshotReport report{.condition = condition_of(snapshot)};
  const VolumeStatus& status = desired.status;
  const bool is_restored =
      snapshot.operation == Operation::kRestore && snapshot.phase == SnapshotPhase::kSucceeded;
  if (is_restored && status.volume_id.empty() && status.current_size) {
    const Bytes wanted = parse_wanted_size(desired.spec.size).value_or(*status.current_size);
    report.volume = provisioned_status(desired, *status.current_size, wanted);
  }
  report.snapshot = std::move(snapshot);
  return report;
}

SnapshotReport cleaned_report() {
  return {.condition = make_condition(kSnapshotCleanedType, kTrue, own_reason::kVolumeRemoved)};
}

SnapshotReport blocked_report(const LogicalVolume& desired, const Error& error) {
  SnapshotReport report{.condition = make_condition(blocked_condition(desired), kFalse,
                                                    camel_case(reason_of(error)), describe(error))};
  const auto& snapshot = desired.status.snapshot;
  if (snapshot && is_ours(*snapshot) && snapshot->phase != SnapshotPhase::kSucceeded) {
    report.snapshot = snapshot;
    report.snapshot->message = describe(error);
  }
  return report;
}

}  // namespace lvmd::reconciler
