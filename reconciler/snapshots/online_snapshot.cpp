#include "reconciler/snapshots/online_snapshot.hpp"

#include <fmt/format.h>

#include <string_view>

#include "reconciler/model/reason.hpp"

namespace lvmd::reconciler {
namespace {

std::string_view field_of_source(const LogicalVolume& desired) {
  return desired.spec.source.empty() ? "spec.restoreFrom.backup" : "spec.source";
}

// Another source of the same name than the one that was decided for has other data.
std::optional<Error> check_identity(const LogicalVolume& desired, const Source& source) {
  const std::string& name = source_name(desired);
  if (!source.exists)
    return make_error(Code::kNotFound, "{} \"{}\": there is no such LogicalVolume in {}",
                      field_of_source(desired), name, to_string(desired.key.group))
        .because(own_reason::kNoSourceObject);
  if (!desired.restore_from.empty() && source.uid != desired.restore_from)
    return make_error(Code::kFailedPrecondition,
                      "{} \"{}\" is another object than the one that this volume is restored from: "
                      "its UID was {}",
                      field_of_source(desired), name, desired.restore_from)
        .because(own_reason::kSourceReplaced);
  return std::nullopt;
}

Error foreign_snapshot(std::string_view whose, const SnapshotStatus& snapshot) {
  return make_error(Code::kFailedPrecondition,
                    "{} was not written by lvmd-reconciler: its version is \"{}\", not \"{}\"; "
                    "only the operator that wrote it may change it",
                    whose, snapshot.version, kStoredVersion)
      .because(own_reason::kForeignSnapshot);
}

Error online_snapshots_off(std::string_view what) {
  return make_error(Code::kFailedPrecondition, "{}: run lvmd-reconciler with --online-snapshots",
                    what)
      .because(own_reason::kOnlineSnapshotsOff);
}

// Succeeded, without the repository or the snapshot.
Error incomplete_backup(std::string_view whose, const SnapshotStatus& snapshot) {
  return make_error(Code::kFailedPrecondition,
                    "{} says Succeeded, but its repository is \"{}\", its snapshotID \"{}\" and "
                    "its backupID \"{}\": all three must be set to find the backup",
                    whose, snapshot.repository, snapshot.snapshot_id, snapshot.backup_id)
      .because(own_reason::kForeignSnapshot);
}

}  // namespace

bool is_online(const std::optional<SnapshotClass>& snapshot_class) {
  return snapshot_class && snapshot_class->mode == kOnlineMode;
}

bool should_restore(const Source& source, const std::optional<SnapshotClass>& snapshot_class) {
  const bool may_be_stored = !source.snapshot || is_stored_backup(*source.snapshot);
  return may_be_stored && is_online(snapshot_class);
}

std::optional<Error> check_restore_source(const LogicalVolume& desired, const Source& source,
                                          Bytes wanted) {
  if (auto wrong = check_identity(desired, source)) return wrong;
  const std::string& name = source_name(desired);
  if (!source.size)
    return make_error(Code::kUnavailable, "{} \"{}\" has no volume yet", field_of_source(desired),
                      name)
        .because(own_reason::kSourceNotReady);
  if (wanted < *source.size)
    return make_error(Code::kOutOfRange,
                      "spec.size \"{}\" is less than the {} of {} \"{}\": a restored volume must "
                      "be at least as large as the stored volume",
                      desired.spec.size, format_quantity(*source.size), field_of_source(desired),
                      name)
        .because(own_reason::kSmallerThanSource);
  return std::nullopt;
}

std::optional<Error> check_stored(const LogicalVolume& desired, const Source& source) {
  if (auto wrong = check_identity(desired, source)) return wrong;
  if (auto unusable = check_source_snapshot(desired, source)) return unusable;
  const auto& snapshot = source.snapshot;
  if (snapshot && is_stored_backup(*snapshot)) return std::nullopt;
  std::string state = "not started";
  if (snapshot && snapshot->operation == Operation::kDelete)
    state = "being deleted";
  else if (snapshot)
    state = fmt::format("not complete, its phase is {}", to_string(snapshot->phase));
  return make_error(Code::kUnavailable, "the backup of {} \"{}\" is {}", field_of_source(desired),
                    source_name(desired), state)
      .because(own_reason::kSourceNotStored);
}

std::optional<Error> check_source_snapshot(const LogicalVolume& desired, const Source& source) {
  const auto& snapshot = source.snapshot;
  if (!snapshot) return std::nullopt;
  const std::string whose =
      fmt::format("status.snapshot of {} \"{}\"", field_of_source(desired), source_name(desired));
  if (!is_ours(*snapshot)) return foreign_snapshot(whose, *snapshot);
  const bool is_said_to_be_stored =
      snapshot->operation == Operation::kBackup && snapshot->phase == SnapshotPhase::kSucceeded;
  if (is_said_to_be_stored && !is_stored_backup(*snapshot))
    return incomplete_backup(whose, *snapshot);
  return std::nullopt;
}

std::optional<Error> check_restore(const LogicalVolume& desired, const OnlineRules& online) {
  const auto& snapshot = desired.status.snapshot;
  if (snapshot && snapshot->operation == Operation::kRestore) {
    if (snapshot->phase == SnapshotPhase::kSucceeded) return std::nullopt;
    if (!is_ours(*snapshot)) return foreign_snapshot("status.snapshot", *snapshot);
    if (online.enabled) return std::nullopt;
    return online_snapshots_off(
        fmt::format("the restore of this volume has not succeeded, its phase is {}",
                    to_string(snapshot->phase)));
  }
  if (online.enabled) return std::nullopt;
  if (!desired.restore_from.empty())
    return online_snapshots_off(
        fmt::format("this volume must be restored from backup {}", desired.restore_from));
  if (desired.spec.restore_from && !has_volume(desired))
    return online_snapshots_off("spec.restoreFrom");
  return std::nullopt;
}

std::optional<Error> check_removal(const LogicalVolume& desired, const OnlineRules& online) {
  const auto& snapshot = desired.status.snapshot;
  if (!snapshot) return std::nullopt;
  const bool has_succeeded = snapshot->phase == SnapshotPhase::kSucceeded;
  const bool is_over = has_succeeded || snapshot->phase == SnapshotPhase::kFailed;
  if (snapshot->operation == Operation::kRestore) {
    // A transfer that can be running has to be cancelled first.
    if (is_over || !is_ours(*snapshot) || snapshot->repository.empty() || online.enabled)
      return std::nullopt;
    return online_snapshots_off("the restore of this volume may be running");
  }
  if (snapshot->operation == Operation::kDelete && has_succeeded) return std::nullopt;
  if (!is_ours(*snapshot)) {
    if (snapshot->phase == SnapshotPhase::kFailed && snapshot->repository.empty() &&
        snapshot->snapshot_id.empty())
      return std::nullopt;
    return foreign_snapshot("status.snapshot", *snapshot);
  }
  if (has_succeeded && (snapshot->repository.empty() || snapshot->backup_id.empty()))
    return incomplete_backup("status.snapshot", *snapshot);
  if (online.enabled || snapshot->repository.empty()) return std::nullopt;
  return online_snapshots_off(
      fmt::format("repository {} may contain a backup of this object, which must be deleted first",
                  snapshot->repository));
}

std::optional<Error> check_stored_backup(const LogicalVolume& desired) {
  const SnapshotStatus& snapshot = *desired.status.snapshot;
  if (!is_ours(snapshot)) return foreign_snapshot("status.snapshot", snapshot);
  if (!is_stored_backup(snapshot)) return incomplete_backup("status.snapshot", snapshot);
  if (snapshot.backup_id != desired.uid)
    return make_error(
               Code::kFailedPrecondition,
               "status.snapshot.backupID \"{}\" is not this object's \"{}\": its volume stays",
               snapshot.backup_id, desired.uid)
        .because(own_reason::kForeignSnapshot);
  return std::nullopt;
}

std::string repository_for(const std::string& base, const PersistentVolume& volume) {
  if (volume.claim_namespace.empty() && volume.claim_name.empty()) return base;
  std::string_view root = base;
  while (root.ends_with('/')) root.remove_suffix(1);
  return fmt::format("{}/{}/{}", root, volume.claim_namespace, volume.claim_name);
}

bool is_within(const std::string& base, const std::string& location) {
  if (base.empty() || location == base) return true;
  std::string_view root = base;
  while (root.ends_with('/')) root.remove_suffix(1);
  if (!location.starts_with(root)) return false;
  const std::string_view rest = std::string_view{location}.substr(root.size());
  return rest.starts_with('/') && !rest.contains("/../") && !rest.ends_with("/..");
}

}  // namespace lvmd::reconciler
