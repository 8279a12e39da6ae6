#include "reconciler/plan/transfer.hpp"

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "reconciler/model/condition.hpp"
#include "reconciler/model/reason.hpp"
#include "reconciler/plan/failure.hpp"
#include "reconciler/plan/provisioned.hpp"

namespace lvmd::reconciler {
namespace {

// The value that the annotation has now; empty: nobody asks for anything.
std::string retry_request(const LogicalVolume& desired) {
  const auto found = desired.annotations.find(std::string{kRetryAnnotation});
  return found == desired.annotations.end() ? std::string{} : found->second;
}

SnapshotStatus pending(const LogicalVolume& desired, Operation operation) {
  return {.operation = operation,
          .phase = SnapshotPhase::kPending,
          .version = std::string{kStoredVersion},
          .attempts = 1,
          .retry_requested_at = retry_request(desired)};
}

std::string_view condition_type(Operation operation) {
  switch (operation) {
    case Operation::kBackup:
      return kBackupReadyType;
    case Operation::kRestore:
      return kRestoreReadyType;
    case Operation::kDelete:
      return kSnapshotDeletedType;
  }
  return "";
}

std::string_view running_reason(Operation operation) {
  switch (operation) {
    case Operation::kBackup:
      return own_reason::kBackupRunning;
    case Operation::kRestore:
      return own_reason::kRestoreRunning;
    case Operation::kDelete:
      return own_reason::kDeleteRunning;
  }
  return "";
}

std::string_view succeeded_reason(Operation operation) {
  switch (operation) {
    case Operation::kBackup:
      return own_reason::kBackupSucceeded;
    case Operation::kRestore:
      return own_reason::kRestoreSucceeded;
    case Operation::kDelete:
      return own_reason::kDeleteSucceeded;
  }
  return "";
}

std::string_view failed_code(Operation operation) {
  switch (operation) {
    case Operation::kBackup:
      return "SnapshotExecutionFailed";
    case Operation::kRestore:
      return "RestoreExecutionFailed";
    case Operation::kDelete:
      return "DeleteExecutionFailed";
  }
  return "";
}

Condition condition_of(const SnapshotStatus& snapshot) {
  Condition condition{.type = std::string{condition_type(snapshot.operation)},
                      .status = std::string{kUnknown}};
  switch (snapshot.phase) {
    case SnapshotPhase::kPending:
      condition.reason = own_reason::kPending;
      break;
    case SnapshotPhase::kRunning:
      condition.reason = running_reason(snapshot.operation);
      break;
    case SnapshotPhase::kSucceeded:
      condition.status = kTrue;
      condition.reason = succeeded_reason(snapshot.operation);
      break;
    case SnapshotPhase::kFailed:
      condition.status = kFalse;
      condition.reason = failed_code(snapshot.operation);
      if (snapshot.error) {
        condition.reason =
            snapshot.error->reason.empty() ? snapshot.error->code : snapshot.error->reason;
        condition.message = snapshot.error->message;
      }
      break;
  }
  return condition;
}

// What is told of a failure, also when lvmd has told nothing of it.
TransferError error_of(Operation operation, const Transfer& transfer) {
  TransferError error = transfer.error.value_or(TransferError{});
  if (error.code.empty()) error.code = failed_code(operation);
  if (error.message.empty())
    error.message = transfer.phase == TransferPhase::kCancelled
                        ? "it was cancelled"
                        : "lvmd gives no reason for the failure";
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

bool same_but_progress(SnapshotStatus a, const SnapshotStatus& b) {
  a.progress = b.progress;
  a.message = b.message;
  return a == b;
}

// The storage has to be there, and the repository one of its own.
std::optional<Step> settle_storage(const SnapshotStatus& now, const Observed& observed) {
  if (!observed.storage_location) return FindStorage{now.storage};
  if (is_within(*observed.storage_location, now.repository)) return std::nullopt;
  return TransferUnmet{make_error(Code::kFailedPrecondition,
                                  "status.snapshot.repository \"{}\" is not within the storage's "
                                  "\"{}\": its credentials go nowhere else",
                                  now.repository, *observed.storage_location)
                           .because(own_reason::kForeignRepository)};
}

// Repository and storage of the backup, on the object before anything is begun [R-ONLINE-9].
Step name_repository_of_backup(const LogicalVolume& desired, const Observed& observed) {
  const SnapshotStatus& now = *desired.status.snapshot;
  if (!observed.storage_location) return FindStorage{now.storage};
  if (!observed.source) return FindSource{};
  // The claim is that of the volume that the snapshot is of.
  if (!observed.persistent_volume) return FindVolume{observed.source->spec_name};
  if (!observed.persistent_volume->found)
    return TransferUnmet{make_error(Code::kUnavailable,
                                    "there is no PersistentVolume \"{}\", which tells of which "
                                    "claim spec.source \"{}\" is",
                                    observed.source->spec_name, desired.spec.source)
                             .because(own_reason::kNoPersistentVolume)};
  SnapshotStatus named = now;
  named.repository = repository_for(*observed.storage_location, *observed.persistent_volume->found);
  return WriteStatus{with_snapshot(desired, std::move(named))};
}

Step name_repository_of_restore(const LogicalVolume& desired, const Observed& observed) {
  if (!observed.source) return FindSource{};
  if (auto unmet = check_stored(desired, *observed.source)) return TransferUnmet{std::move(*unmet)};
  const SnapshotStatus& backup = *observed.source->snapshot;
  SnapshotStatus named = *desired.status.snapshot;
  named.repository = backup.repository;
  named.storage = backup.storage;
  if (const auto& wish = desired.spec.restore_from; wish && !wish->storage.is_empty())
    named.storage = wish->storage;
  named.snapshot_id = backup.snapshot_id;
  return WriteStatus{with_snapshot(desired, std::move(named))};
}

// isPersistentVolumeReady(): whoever makes the volume known makes it for the object's spec.name.
std::optional<Step> settle_volume(const LogicalVolume& desired, const Observed& observed) {
  if (observed.online.gate == RestoreGate::kVolumeId) return std::nullopt;
  if (!observed.persistent_volume) return FindVolume{desired.spec.name};
  if (observed.persistent_volume->found) return std::nullopt;
  Error error = desired.spec.name.empty()
                    ? make_error(Code::kFailedPrecondition,
                                 "spec.name is empty: it has to name the PersistentVolume that the "
                                 "restored volume is for")
                    : make_error(Code::kUnavailable, "there is no PersistentVolume \"{}\" yet",
                                 desired.spec.name);
  return TransferUnmet{std::move(error).because(own_reason::kNoPersistentVolume)};
}

Step start_step(Operation operation) {
  switch (operation) {
    case Operation::kBackup:
      return StartBackup{};
    case Operation::kRestore:
      return StartRestore{};
    case Operation::kDelete:
      return DeleteBackup{};
  }
  return Nothing{};
}

// What Start needs, then Start.
Step plan_start(const LogicalVolume& desired, const Observed& observed) {
  const SnapshotStatus& now = *desired.status.snapshot;
  if (now.operation == Operation::kRestore)
    if (auto step = settle_volume(desired, observed)) return std::move(*step);
  if (now.repository.empty())
    return now.operation == Operation::kRestore ? name_repository_of_restore(desired, observed)
                                                : name_repository_of_backup(desired, observed);
  if (now.operation != Operation::kDelete)
    if (auto step = settle_class(desired, observed)) return std::move(*step);
  if (auto step = settle_storage(now, observed)) return std::move(*step);
  return start_step(now.operation);
}

// "Is Operation Running?"
Step plan_running(const LogicalVolume& desired, const Observed& observed) {
  const SnapshotStatus& now = *desired.status.snapshot;
  if (observed.transfer_unknown) return plan_start(desired, observed);  // [R-ONLINE-10]
  if (!observed.transfer) return FollowTransfer{now.operation};
  SnapshotStatus told = advance(now, *observed.transfer);
  if (told == now || (same_but_progress(told, now) && !observed.progress_due))
    return AwaitTransfer{now.operation};
  return WriteStatus{with_snapshot(desired, std::move(told))};
}

// A deletion is tried for ever: what is stored must not be left behind.
bool may_be_tried_again(const SnapshotStatus& now) {
  if (now.operation == Operation::kDelete) return true;
  return now.error && now.error->transient && now.attempts <= kMaxRetries;
}

Step plan_retry(const LogicalVolume& desired, const Observed& observed) {
  const SnapshotStatus& now = *desired.status.snapshot;
  const std::string request = retry_request(desired);
  if (!request.empty() && request != now.retry_requested_at)
    return WriteStatus{with_snapshot(desired, pending_again(desired, true))};
  if (!may_be_tried_again(now)) return Nothing{};
  if (!observed.retry_due) return AwaitRetry{now.attempts};
  return WriteStatus{with_snapshot(desired, pending_again(desired, false))};
}

// The local snapshot has done its duty.
Step plan_cleaning(const LogicalVolume& desired, const Observed& observed) {
  const Condition* const told = find_condition(desired.status.conditions, kSnapshotCleanedType);
  if (told != nullptr && told->status == kTrue) return Nothing{};
  if (!observed.cleaned) {
    if (auto step = settle_class(desired, observed)) return std::move(*step);
    return RemoveSnapshotVolume{};
  }
  VolumeStatus status = desired.status;
  set_condition(status.conditions, {.type = std::string{kSnapshotCleanedType},
                                    .status = std::string{kTrue},
                                    .reason = std::string{own_reason::kVolumeRemoved}});
  return WriteStatus{std::move(status)};
}

std::string_view held_up_condition(const LogicalVolume& desired) {
  if (desired.removal_wanted) return kSnapshotDeletedType;
  const auto& snapshot = desired.status.snapshot;
  if (snapshot && snapshot->operation == Operation::kBackup &&
      snapshot->phase == SnapshotPhase::kSucceeded)
    return kSnapshotCleanedType;
  if (snapshot) return condition_type(snapshot->operation);
  return desired.restore_from.empty() ? kBackupReadyType : kRestoreReadyType;
}

}  // namespace

SnapshotStatus pending_backup(const LogicalVolume& desired, const StorageName& storage) {
  SnapshotStatus snapshot = pending(desired, Operation::kBackup);
  snapshot.storage = storage;
  snapshot.backup_id = desired.uid;
  return snapshot;
}

SnapshotStatus pending_restore(const LogicalVolume& desired) {
  SnapshotStatus snapshot = pending(desired, Operation::kRestore);
  const auto& wish = desired.spec.restore_from;
  if (wish && wish->backup.empty()) {
    snapshot.repository = wish->repository;
    snapshot.storage = wish->storage;
    snapshot.snapshot_id = wish->snapshot_id;
  } else {
    snapshot.backup_id = desired.restore_from;
  }
  return snapshot;
}

SnapshotStatus pending_deletion(const LogicalVolume& desired) {
  SnapshotStatus snapshot = pending(desired, Operation::kDelete);
  const SnapshotStatus& stored = *desired.status.snapshot;
  snapshot.repository = stored.repository;
  snapshot.storage = stored.storage;
  snapshot.snapshot_id = stored.snapshot_id;
  snapshot.backup_id = stored.backup_id;
  return snapshot;
}

SnapshotStatus pending_again(const LogicalVolume& desired, bool requested) {
  const SnapshotStatus& before = *desired.status.snapshot;
  SnapshotStatus snapshot = pending(desired, before.operation);
  snapshot.repository = before.repository;
  snapshot.storage = before.storage;
  snapshot.snapshot_id = before.snapshot_id;
  snapshot.backup_id = before.backup_id;
  snapshot.attempts = requested ? 1 : before.attempts + 1;
  return snapshot;
}

SnapshotStatus advance(const SnapshotStatus& before, const Transfer& transfer) {
  SnapshotStatus after = before;
  const bool failed = has_ended(transfer) && transfer.phase != TransferPhase::kSucceeded;
  if (transfer.start_time) after.start_time = to_timestamp(*transfer.start_time);
  if (transfer.progress != TransferProgress{}) after.progress = transfer.progress;
  // What has succeeded at once was running before, and is told so.
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
                  .error = TransferError{.code = std::string{failed_code(operation)},
                                         .reason = camel_case(reason_of(error)),
                                         .message = describe(error),
                                         .transient = error.code == Code::kInternal}};
}

VolumeStatus with_snapshot(const LogicalVolume& desired, SnapshotStatus snapshot) {
  VolumeStatus status = desired.status;
  const bool is_restored =
      snapshot.operation == Operation::kRestore && snapshot.phase == SnapshotPhase::kSucceeded;
  if (is_restored && status.volume_id.empty() && status.current_size) {
    const Bytes wanted = parse_wanted_size(desired.spec.size).value_or(*status.current_size);
    status = provisioned_status(desired, *status.current_size, wanted);
  }
  status.observed_generation = desired.generation;
  set_condition(status.conditions, condition_of(snapshot));
  status.snapshot = std::move(snapshot);
  return status;
}

VolumeStatus held_up_status(const LogicalVolume& desired, const Error& error) {
  VolumeStatus status = desired.status;
  status.observed_generation = desired.generation;
  set_condition(status.conditions, {.type = std::string{held_up_condition(desired)},
                                    .status = std::string{kFalse},
                                    .reason = camel_case(reason_of(error)),
                                    .message = describe(error)});
  if (status.snapshot && status.snapshot->phase != SnapshotPhase::kSucceeded)
    status.snapshot->message = describe(error);
  return status;
}

Step plan_transfer(const LogicalVolume& desired, const Observed& observed) {
  const SnapshotStatus& now = *desired.status.snapshot;
  switch (now.phase) {
    case SnapshotPhase::kSucceeded:
      return now.operation == Operation::kBackup ? plan_cleaning(desired, observed)
                                                 : Step{Nothing{}};
    case SnapshotPhase::kFailed:
      return plan_retry(desired, observed);
    case SnapshotPhase::kRunning:
      return plan_running(desired, observed);
    case SnapshotPhase::kPending:
      if (!observed.transfer) return plan_start(desired, observed);
      return WriteStatus{with_snapshot(desired, advance(now, *observed.transfer))};
  }
  return Nothing{};
}

Step plan_snapshot(const LogicalVolume& desired, const Observed& observed) {
  if (desired.status.snapshot) return plan_transfer(desired, observed);
  // The volume may have been used since: what became of the restore is not known any more.
  if (!desired.restore_from.empty())
    return TransferUnmet{
        make_error(Code::kFailedPrecondition,
                   "status.snapshot is gone: whether volume {} is restored from backup {} is not "
                   "known, and it is not touched; make another object",
                   desired.uid, desired.restore_from)
            .because(own_reason::kRestoreUnknown)};
  if (!may_have_class(desired)) return Nothing{};
  if (!observed.own_class) return FindSnapshotClass{};
  if (!should_backup(observed.own_class->found)) return Nothing{};
  return WriteStatus{
      with_snapshot(desired, pending_backup(desired, observed.own_class->found->storage))};
}

std::optional<Step> plan_letting_go(const LogicalVolume& desired, const Observed& observed) {
  const auto& snapshot = desired.status.snapshot;
  // Without a repository nothing was ever begun.
  if (!snapshot || snapshot->repository.empty()) return std::nullopt;
  if (snapshot->operation == Operation::kDelete) {
    if (snapshot->phase == SnapshotPhase::kSucceeded) return std::nullopt;
    return plan_transfer(desired, observed);
  }
  const bool may_run =
      snapshot->phase == SnapshotPhase::kPending || snapshot->phase == SnapshotPhase::kRunning;
  const bool is_over =
      observed.transfer_unknown || (observed.transfer && has_ended(*observed.transfer));
  if (may_run && !is_over) {
    if (observed.transfer) return AwaitTransfer{snapshot->operation};
    return CancelTransfer{snapshot->operation};
  }
  if (snapshot->operation == Operation::kRestore) return std::nullopt;
  return WriteStatus{with_snapshot(desired, pending_deletion(desired))};
}

}  // namespace lvmd::reconciler
