#include "reconciler/snapshots/plan.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "reconciler/model/condition.hpp"
#include "reconciler/model/reason.hpp"
#include "reconciler/snapshots/snapshot_report.hpp"
#include "reconciler/snapshots/snapshot_status.hpp"
#include "reconciler/volumes/provisioned.hpp"

namespace lvmd::reconciler {
namespace {

// The status is written only when it differs [R-RUN-3].
Step settle(const LogicalVolume& desired, SnapshotReport report) {
  if (merge(desired, report) == desired.status) return Nothing{};
  return WriteReport{std::move(report)};
}

// The number of automatic retries of a transfer after transient failures [R-ONLINE-6].
constexpr std::uint32_t kMaxRetries = 10;

bool same_but_progress(SnapshotStatus a, const SnapshotStatus& b) {
  a.progress = b.progress;
  a.message = b.message;
  return a == b;
}

// The location must exist, and the repository must be within it.
std::optional<Step> settle_location(const SnapshotStatus& now, const SnapshotObserved& observed) {
  if (!observed.location_base) return FindBackupLocation{now.storage};
  if (is_within(*observed.location_base, now.repository)) return std::nullopt;
  return TransferUnmet{
      make_error(Code::kFailedPrecondition,
                 "status.snapshot.repository \"{}\" is not within the backup location's "
                 "\"{}\": the credentials are sent to no other repository",
                 now.repository, *observed.location_base)
          .because(own_reason::kForeignRepository)};
}

// Stores repository and location of the backup in the object before the backup starts [R-ONLINE-9].
Step name_repository_of_backup(const LogicalVolume& desired, const SnapshotObserved& observed,
                               const VolumeObserved& volume) {
  const SnapshotStatus& now = *desired.status.snapshot;
  if (!observed.location_base) return FindBackupLocation{now.storage};
  if (!volume.source) return FindSource{};
  // The claim belongs to the volume that the snapshot was taken of.
  if (!observed.persistent_volume) return FindPersistentVolume{volume.source->spec_name};
  if (!observed.persistent_volume->found)
    return TransferUnmet{
        make_error(
            Code::kUnavailable,
            "there is no PersistentVolume \"{}\", which names the claim of spec.source \"{}\"",
            volume.source->spec_name, desired.spec.source)
            .because(own_reason::kNoPersistentVolume)};
  SnapshotStatus named = now;
  named.repository = repository_for(*observed.location_base, *observed.persistent_volume->found);
  return WriteReport{report_of(desired, std::move(named))};
}

Step name_repository_of_restore(const LogicalVolume& desired, const VolumeObserved& volume) {
  if (!volume.source) return FindSource{};
  if (auto unmet = check_stored(desired, *volume.source)) return TransferUnmet{std::move(*unmet)};
  const SnapshotStatus& backup = *volume.source->snapshot;
  SnapshotStatus named = *desired.status.snapshot;
  named.repository = backup.repository;
  named.storage = backup.storage;
  if (const auto& requested = desired.spec.restore_from;
      requested && !requested->storage.is_empty())
    named.storage = requested->storage;
  named.snapshot_id = backup.snapshot_id;
  return WriteReport{report_of(desired, std::move(named))};
}

// isPersistentVolumeReady(): the PersistentVolume of the object's spec.name must exist.
std::optional<Step> settle_volume(const LogicalVolume& desired, const SnapshotObserved& observed) {
  if (observed.online.gate == RestoreGate::kVolumeId) return std::nullopt;
  if (!observed.persistent_volume) return FindPersistentVolume{desired.spec.name};
  if (observed.persistent_volume->found) return std::nullopt;
  Error error =
      desired.spec.name.empty()
          ? make_error(
                Code::kFailedPrecondition,
                "spec.name is empty: it must name the PersistentVolume of the restored volume")
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
Step plan_start(const LogicalVolume& desired, const SnapshotObserved& observed,
                const VolumeObserved& volume) {
  const SnapshotStatus& now = *desired.status.snapshot;
  if (now.operation == Operation::kRestore)
    if (auto step = settle_volume(desired, observed)) return std::move(*step);
  if (now.repository.empty())
    return now.operation == Operation::kRestore
               ? name_repository_of_restore(desired, volume)
               : name_repository_of_backup(desired, observed, volume);
  if (now.operation != Operation::kDelete)
    if (auto step = settle_class(desired, volume)) return std::move(*step);
  if (auto step = settle_location(now, observed)) return std::move(*step);
  return start_step(now.operation);
}

// "Is Operation Running?"
Step plan_running(const LogicalVolume& desired, const SnapshotObserved& observed,
                  const VolumeObserved& volume) {
  const SnapshotStatus& now = *desired.status.snapshot;
  if (observed.transfer_unknown) return plan_start(desired, observed, volume);  // [R-ONLINE-10]
  if (!observed.transfer) return FollowTransfer{now.operation};
  SnapshotStatus reported = advance(now, *observed.transfer);
  if (reported == now || (same_but_progress(reported, now) && !observed.progress_due))
    return AwaitTransfer{now.operation};
  return WriteReport{report_of(desired, std::move(reported))};
}

// A deletion is retried without limit, so that no stored data remains.
bool may_be_tried_again(const SnapshotStatus& now) {
  if (now.operation == Operation::kDelete) return true;
  return now.error && now.error->transient && now.attempts <= kMaxRetries;
}

Step plan_retry(const LogicalVolume& desired, const SnapshotObserved& observed) {
  const SnapshotStatus& now = *desired.status.snapshot;
  const std::string request = retry_request(desired);
  if (!request.empty() && request != now.retry_requested_at)
    return WriteReport{report_of(desired, pending_again(desired, true))};
  if (!may_be_tried_again(now)) return Nothing{};
  if (!observed.retry_due) return AwaitRetry{now.attempts};
  return WriteReport{report_of(desired, pending_again(desired, false))};
}

// The local snapshot is not needed any more.
Step plan_cleaning(const LogicalVolume& desired, const SnapshotObserved& observed,
                   const VolumeObserved& volume) {
  if (const auto wrong = check_stored_backup(desired))
    return settle(desired, blocked_report(desired, *wrong));
  const Condition* const reported = find_condition(desired.status.conditions, kSnapshotCleanedType);
  if (reported != nullptr && reported->status == kTrue) return Nothing{};
  if (!observed.cleaned) {
    if (auto step = settle_class(desired, volume)) return std::move(*step);
    return RemoveSnapshotVolume{};
  }
  return WriteReport{cleaned_report()};
}

Step plan_transfer(const LogicalVolume& desired, const SnapshotObserved& observed,
                   const VolumeObserved& volume) {
  const SnapshotStatus& now = *desired.status.snapshot;
  switch (now.phase) {
    case SnapshotPhase::kSucceeded:
      return now.operation == Operation::kBackup ? plan_cleaning(desired, observed, volume)
                                                 : Step{Nothing{}};
    case SnapshotPhase::kFailed:
      return plan_retry(desired, observed);
    case SnapshotPhase::kRunning:
      return plan_running(desired, observed, volume);
    case SnapshotPhase::kPending:
      if (!observed.transfer) return plan_start(desired, observed, volume);
      return WriteReport{report_of(desired, advance(now, *observed.transfer))};
  }
  return Nothing{};
}

// The object has a volume, which needs nothing now.
Step plan_existing(const LogicalVolume& desired, const SnapshotObserved& observed,
                   const VolumeObserved& volume) {
  if (desired.status.snapshot) {
    const SnapshotStatus& snapshot = *desired.status.snapshot;
    if (is_ours(snapshot)) return plan_transfer(desired, observed, volume);
    if (snapshot.operation == Operation::kRestore) return Nothing{};  // The restore has succeeded.
    return settle(desired, blocked_report(desired, *check_stored_backup(desired)));
  }
  // The volume may have been used since. The result of the restore is unknown.
  if (!desired.restore_from.empty())
    return TransferUnmet{
        make_error(Code::kFailedPrecondition,
                   "status.snapshot was removed: whether volume {} is restored from backup {} is "
                   "not known, and it is not changed; create another object",
                   desired.uid, desired.restore_from)
            .because(own_reason::kRestoreUnknown)};
  if (!may_have_class(desired)) return Nothing{};
  if (!observed.own_class) return FindSnapshotClass{};
  if (!is_online(observed.own_class->found)) return Nothing{};
  return WriteReport{
      report_of(desired, pending_backup(desired, observed.own_class->found->storage))};
}

// What has to be done before the volume of an object is removed. Absent: nothing [R-ONLINE-8].
std::optional<Step> plan_before_removal(const LogicalVolume& desired,
                                        const SnapshotObserved& observed,
                                        const VolumeObserved& volume) {
  const auto& snapshot = desired.status.snapshot;
  // Without a repository no transfer was started.
  if (!snapshot || !is_ours(*snapshot) || snapshot->repository.empty()) return std::nullopt;
  if (snapshot->operation == Operation::kDelete) {
    if (snapshot->phase == SnapshotPhase::kSucceeded) return std::nullopt;
    return plan_transfer(desired, observed, volume);
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
  return WriteReport{report_of(desired, pending_deletion(desired))};
}

// Is the volume restored, as far as is known? Otherwise the step that is needed to decide.
std::variant<bool, Step> decide_restore(const LogicalVolume& desired,
                                        const SnapshotObserved& observed,
                                        const VolumeObserved& volume) {
  if (!desired.restore_from.empty() || desired.spec.restore_from) return true;
  if (desired.spec.source.empty() || volume.size) return false;
  if (!volume.source) return Step{FindSource{}};
  if (!volume.source->is_snapshot) return false;  // It has no snapshot class.
  if (!observed.source_class) return Step{FindSnapshotClass{.of_source = true}};
  if (is_online(observed.source_class->found))
    if (auto unusable = check_source_snapshot(desired, *volume.source))
      return Step{Unmet{std::move(*unusable)}};
  return should_restore(*volume.source, observed.source_class->found);
}

// How a volume that does not exist yet is created, and what this controller does first.
struct Creation {
  CreationMode mode = CreationMode::kPlain;
  std::string restore_from{};
  std::optional<Step> step{};
};

// The write that makes the restore of an empty volume Pending [R-ONLINE-3].
SnapshotReport restore_report(const LogicalVolume& desired, RestoreGate gate, Bytes size,
                              Bytes wanted) {
  SnapshotReport report = report_of(desired, pending_restore(desired));
  if (gate == RestoreGate::kPhase) {
    report.volume = provisioned_status(desired, size, wanted);
  } else {
    report.volume = desired.status;
    report.volume->current_size = size;
  }
  return report;
}

Creation plan_creation(const LogicalVolume& desired, const SnapshotObserved& observed,
                       const VolumeObserved& volume) {
  auto restored = decide_restore(desired, observed, volume);
  if (auto* const step = std::get_if<Step>(&restored))
    return {.mode = CreationMode::kUndecided, .step = std::move(*step)};
  const auto wanted = parse_wanted_size(desired.spec.size);
  if (!std::get<bool>(restored) || !wanted) return {};
  const bool has_source = !source_name(desired).empty();
  const bool is_decided = !desired.restore_from.empty();
  if (has_source && (!is_decided || !volume.size)) {
    if (!volume.source) return {.mode = CreationMode::kUndecided, .step = FindSource{}};
    if (auto unmet = check_restore_source(desired, *volume.source, *wanted))
      return {.mode = CreationMode::kUndecided, .step = Unmet{std::move(*unmet)}};
  }
  Creation creation{.mode = CreationMode::kRestore, .restore_from = desired.restore_from};
  if (!is_decided)
    creation.restore_from =
        has_source ? volume.source->uid : desired.spec.restore_from->snapshot_id;
  if (volume.size)
    creation.step =
        WriteReport{restore_report(desired, observed.online.gate, *volume.size, *wanted)};
  return creation;
}

// The end of the restore is awaited before volumeID is written [R-ONLINE-4].
bool is_withheld(const LogicalVolume& desired) {
  return !has_volume(desired) && desired.status.snapshot &&
         desired.status.snapshot->operation == Operation::kRestore;
}

Step plan_withheld(const LogicalVolume& desired, const SnapshotObserved& observed,
                   const VolumeObserved& volume) {
  const auto& size = desired.status.current_size;
  const auto wanted = parse_wanted_size(desired.spec.size);
  if (observed.online.gate == RestoreGate::kPhase && size && wanted)
    return WriteStatus{provisioned_status(desired, *size, *wanted)};
  return plan_transfer(desired, observed, volume);
}

// The status shows the refusal that --online-snapshots removes [R-ONLINE-14].
bool shows_online_snapshots_off(const LogicalVolume& desired) {
  const Condition* const ready = find_condition(desired.status.conditions, kReadyType);
  return ready != nullptr && ready->status == kFalse &&
         ready->reason == camel_case(own_reason::kOnlineSnapshotsOff);
}

}  // namespace

SnapshotConstraint constrain_volume(const LogicalVolume& desired, const SnapshotObserved& observed,
                                    const VolumeObserved& volume) {
  SnapshotConstraint constraint{.is_enabled = observed.online.enabled,
                                .refusal = desired.removal_wanted
                                               ? check_removal(desired, observed.online)
                                               : check_restore(desired, observed.online)};
  if (!constraint.is_enabled) return constraint;
  if (desired.removal_wanted) {
    constraint.blocks_removal = plan_before_removal(desired, observed, volume).has_value();
    return constraint;
  }
  constraint.is_refusal_outdated = shows_online_snapshots_off(desired);
  constraint.blocks_growth =
      desired.status.snapshot && desired.status.snapshot->phase == SnapshotPhase::kRunning;
  constraint.withholds_volume = is_withheld(desired);
  if (!has_volume(desired) && !constraint.withholds_volume) {
    Creation creation = plan_creation(desired, observed, volume);
    constraint.creation = creation.mode;
    constraint.restore_from = std::move(creation.restore_from);
  }
  return constraint;
}

Step plan_snapshot(const LogicalVolume& desired, const SnapshotObserved& observed,
                   const VolumeObserved& volume) {
  if (!observed.online.enabled) return Nothing{};
  if (desired.removal_wanted)
    return plan_before_removal(desired, observed, volume).value_or(Step{Nothing{}});
  if (is_withheld(desired)) return plan_withheld(desired, observed, volume);
  if (!has_volume(desired))
    return plan_creation(desired, observed, volume).step.value_or(Step{Nothing{}});
  return plan_existing(desired, observed, volume);
}

}  // namespace lvmd::reconciler
