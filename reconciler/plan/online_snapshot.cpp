#include "reconciler/plan/online_snapshot.hpp"

#include <fmt/format.h>

#include <string_view>

#include "reconciler/model/reason.hpp"

namespace lvmd::reconciler {
namespace {

std::string_view field_of_source(const LogicalVolume& desired) {
  return desired.spec.source.empty() ? "spec.restoreFrom.backup" : "spec.source";
}

// A source of that name, but another one than was decided for, has somebody else's data.
std::optional<Error> check_identity(const LogicalVolume& desired, const Source& source) {
  const std::string& name = source_name(desired);
  if (!source.exists)
    return make_error(Code::kNotFound, "{} \"{}\": there is no such LogicalVolume in {}",
                      field_of_source(desired), name, to_string(desired.key.group))
        .because(own_reason::kNoSourceObject);
  if (!desired.restore_from.empty() && source.uid != desired.restore_from)
    return make_error(Code::kFailedPrecondition,
                      "{} \"{}\" is not the object any more that this one is restored from: its "
                      "UID was {}",
                      field_of_source(desired), name, desired.restore_from)
        .because(own_reason::kSourceReplaced);
  return std::nullopt;
}

}  // namespace

bool is_online(const std::optional<SnapshotClass>& snapshot_class) {
  return snapshot_class && snapshot_class->mode == kOnlineMode;
}

bool should_backup(const std::optional<SnapshotClass>& snapshot_class) {
  return is_online(snapshot_class);
}

bool should_restore(const Source& source, const std::optional<SnapshotClass>& snapshot_class) {
  const bool may_be_stored =
      !source.snapshot || (source.snapshot->operation == Operation::kBackup &&
                           source.snapshot->phase == SnapshotPhase::kSucceeded);
  return may_be_stored && is_online(snapshot_class);
}

bool may_have_class(const LogicalVolume& desired) { return !desired.spec.source.empty(); }

const std::string& source_name(const LogicalVolume& desired) {
  const VolumeSpec& spec = desired.spec;
  return spec.source.empty() && spec.restore_from ? spec.restore_from->backup : spec.source;
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
    return make_error(
               Code::kOutOfRange,
               "spec.size \"{}\" is less than the {} of {} \"{}\": a restored volume is at least "
               "as large as what was stored",
               desired.spec.size, format_quantity(*source.size), field_of_source(desired), name)
        .because(own_reason::kSmallerThanSource);
  return std::nullopt;
}

std::optional<Error> check_stored(const LogicalVolume& desired, const Source& source) {
  if (auto wrong = check_identity(desired, source)) return wrong;
  const auto& snapshot = source.snapshot;
  if (snapshot && snapshot->operation == Operation::kBackup &&
      snapshot->phase == SnapshotPhase::kSucceeded)
    return std::nullopt;
  return make_error(Code::kUnavailable, "the backup of {} \"{}\" is {}", field_of_source(desired),
                    source_name(desired),
                    !snapshot ? "not begun"
                    : snapshot->operation == Operation::kDelete
                        ? "being deleted"
                        : fmt::format("not there, its phase is {}", to_string(snapshot->phase)))
      .because(own_reason::kSourceNotStored);
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
