#include "reconciler/volumes/transfer_plan.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "reconciler/model/condition.hpp"
#include "reconciler/model/reason.hpp"
#include "reconciler/volumes/provisioned.hpp"
#include "reconciler/volumes/snapshot_status.hpp"

namespace lvmd::reconciler {
namespace {

// So often a transfer that failed for a passing cause is begun again by itself [R-ONLINE-6].
constexpr std::uint32_t kMaxRetries = 10;

bool same_but_progress(SnapshotStatus a, const SnapshotStatus& b) {
  a.progress = b.progress;
  a.message = b.message;
  return a == b;
}

// The storage has to be there, and the repository one of its own.
std::optional<Step> settle_location(const SnapshotStatus& now, const Observed& observed) {
  if (!observed.location_base) return FindBackupLocation{now.storage};
  if (is_within(*observed.location_base, now.repository)) return std::nullopt;
  return TransferUnmet{make_error(Code::kFailedPrecondition,
                                  "status.snapshot.repository \"{}\" is not within the storage's "
                                  "\"{}\": its credentials go nowhere else",
                                  now.repository, *observed.location_base)
                           .because(own_reason::kForeignRepository)};
}

// Repository and storage of the backup, on the object before anything is begun [R-ONLINE-9].
Step name_repository_of_backup(const LogicalVolume& desired, const Observed& observed) {
  const SnapshotStatus& now = *desired.status.snapshot;
  if (!observed.location_base) return FindBackupLocation{now.storage};
  if (!observed.source) return FindSource{};
  // The claim is that of the volume that the snapshot is of.
  if (!observed.persistent_volume) return FindPersistentVolume{observed.source->spec_name};
  if (!observed.persistent_volume->found)
    return TransferUnmet{make_error(Code::kUnavailable,
                                    "there is no PersistentVolume \"{}\", which tells of which "
                                    "claim spec.source \"{}\" is",
                                    observed.source->spec_name, desired.spec.source)
                             .because(own_reason::kNoPersistentVolume)};
  SnapshotStatus named = now;
  named.repository = repository_for(*observed.location_base, *observed.persistent_volume->found);
  return WriteStatus{with_snapshot(desired, std::move(named))};
}

Step name_repository_of_restore(const LogicalVolume& desired, const Observed& observed) {
  if (!observed.source) return FindSource{};
  if (auto unmet = check_stored(desired, *observed.source)) return TransferUnmet{std::move(*unmet)};
  const SnapshotStatus& backup = *observed.source->snapshot;
  SnapshotStatus named = *desired.status.snapshot;
  named.repository = backup.repository;
  named.storage = backup.storage;
  if (const auto& requested = desired.spec.restore_from;
      requested && !requested->storage.is_empty())
    named.storage = requested->storage;
  named.snapshot_id = backup.snapshot_id;
  return WriteStatus{with_snapshot(desired, std::move(named))};
}

// isPersistentVolumeReady(): whoever makes the volume known makes it for the object's spec.name.
std::optional<Step> settle_volume(const LogicalVolume& desired, const Observed& observed) {
  if (observed.online.gate == RestoreGate::kVolumeId) return std::nullopt;
  if (!observed.persistent_volume) return FindPersistentVolume{desired.spec.name};
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
  if (auto step = settle_location(now, observed)) return std::move(*step);
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
  if (const auto wrong = check_stored_backup(desired))
    return settle(desired, blocked_status(desired, *wrong));
  const Condition* const told = find_condition(desired.status.conditions, kSnapshotCleanedType);
  if (told != nullptr && told->status == kTrue) return Nothing{};
  if (!observed.cleaned) {
    if (auto step = settle_class(desired, observed)) return std::move(*step);
    return RemoveSnapshotVolume{};
  }
  return WriteStatus{cleaned_status(desired)};
}

}  // namespace

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
  if (desired.status.snapshot) {
    const SnapshotStatus& snapshot = *desired.status.snapshot;
    if (is_ours(snapshot)) return plan_transfer(desired, observed);
    if (snapshot.operation == Operation::kRestore) return Nothing{};  // It has succeeded.
    return settle(desired, blocked_status(desired, *check_stored_backup(desired)));
  }
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

std::optional<Step> plan_before_removal(const LogicalVolume& desired, const Observed& observed) {
  const auto& snapshot = desired.status.snapshot;
  // Without a repository nothing was ever begun.
  if (!snapshot || !is_ours(*snapshot) || snapshot->repository.empty()) return std::nullopt;
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
