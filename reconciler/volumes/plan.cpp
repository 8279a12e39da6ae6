#include "reconciler/volumes/plan.hpp"

#include <optional>
#include <utility>
#include <variant>

#include "reconciler/model/reason.hpp"
#include "reconciler/volumes/failure.hpp"
#include "reconciler/volumes/provisioned.hpp"
#include "reconciler/volumes/snapshot_status.hpp"
#include "reconciler/volumes/transfer_plan.hpp"

namespace lvmd::reconciler {
namespace {

Step refuse(const LogicalVolume& desired, const Error& error) {
  return settle(desired, failed_status(desired, error));
}

// A status that names another volume was copied from another object: acting on it, or on ours
// instead of it, could destroy somebody's data.
std::optional<Error> check_volume_id(const LogicalVolume& desired) {
  const std::string& volume_id = desired.status.volume_id;
  if (volume_id.empty() || volume_id == desired.uid) return std::nullopt;
  return make_error(
             Code::kFailedPrecondition,
             "status.volumeID \"{}\" is not this object's volume \"{}\": neither is touched; "
             "clear status.volumeID if it was copied here",
             volume_id, desired.uid)
      .because(own_reason::kForeignVolumeId);
}

Step plan_removal(const LogicalVolume& desired, const Observed& observed) {
  if (!desired.has_finalizer) return Nothing{};  // [R-PLAN-2]
  if (is_abandoned(desired))                     // [R-PLAN-12]
    return observed.owner_cleared ? Step{Abandon{}} : Step{ClearOwner{}};
  if (const auto foreign = check_volume_id(desired)) return refuse(desired, *foreign);
  if (!observed.removed)
    if (const auto stored = check_removal(desired, observed.online))
      return refuse(desired, *stored);
  if (!desired.removal_begun) return BeginRemoval{};  // [R-REC-3]
  if (observed.removed) return RemoveFinalizer{};     // [R-PLAN-4]
  if (observed.online.enabled)
    if (auto step = plan_before_removal(desired, observed)) return std::move(*step);
  if (auto step = settle_class(desired, observed)) return std::move(*step);
  return Remove{};  // [R-PLAN-3]
}

// What was refused because online snapshots were off goes on [R-ONLINE-14].
bool is_online_again(const LogicalVolume& desired, const Observed& observed) {
  const Condition* const ready = find_condition(desired.status.conditions, kReadyType);
  return observed.online.enabled && ready != nullptr && ready->status == kFalse &&
         ready->reason == camel_case(own_reason::kOnlineSnapshotsOff);
}

// What failed was asked for before: a client must not take it for the answer to what is asked for
// now [R-FAIL-11]. The API server counts the changes of the spec; other changes, and those of a
// store that doesn't count, the runner tells of.
bool is_failure_of_the_past(const LogicalVolume& desired, const Observed& observed) {
  const bool changed = observed.renewed || desired.status.observed_generation != desired.generation;
  return (changed || is_online_again(desired, observed)) && shows_failure(desired.status);
}

// Of what is known so far: is the volume restored? Otherwise the step that is needed to know.
std::variant<bool, Step> decide_restore(const LogicalVolume& desired, const Observed& observed) {
  if (!observed.online.enabled) return false;
  if (!desired.restore_from.empty() || desired.spec.restore_from) return true;
  if (desired.spec.source.empty() || observed.size) return false;
  if (!observed.source) return Step{FindSource{}};
  if (!observed.source->is_snapshot) return false;  // No class can stand behind it.
  if (!observed.source_class) return Step{FindSnapshotClass{.of_source = true}};
  if (is_online(observed.source_class->found))
    if (auto unusable = check_source_snapshot(desired, *observed.source))
      return Step{Unmet{std::move(*unusable)}};
  return should_restore(*observed.source, observed.source_class->found);
}

// The volume is made empty, and filled from the backup [R-ONLINE-3]. The decision is durable before
// anything is made.
Step plan_restored(const LogicalVolume& desired, const Observed& observed, Bytes size) {
  const bool has_source = !source_name(desired).empty();
  const bool decided = !desired.restore_from.empty();
  if (has_source && (!decided || !observed.size)) {
    if (!observed.source) return FindSource{};
    if (auto unmet = check_restore_source(desired, *observed.source, size))
      return Unmet{std::move(*unmet)};
  }
  if (!desired.has_metadata || desired.uid.empty() || !decided)
    return AddFinalizer{decided      ? desired.restore_from
                        : has_source ? observed.source->uid
                                     : desired.spec.restore_from->snapshot_id};
  if (!observed.size) return Create{size};
  LogicalVolume made = desired;
  if (observed.online.gate == RestoreGate::kPhase)
    made.status = provisioned_status(desired, *observed.size, size);
  else
    made.status.current_size = observed.size;
  return WriteStatus{with_snapshot(made, pending_restore(desired))};
}

// A restore whose end is awaited before volumeID tells of the volume [R-ONLINE-4].
bool is_withheld(const LogicalVolume& desired, const Observed& observed) {
  return observed.online.enabled && desired.status.snapshot &&
         desired.status.snapshot->operation == Operation::kRestore;
}

Step plan_withheld(const LogicalVolume& desired, const Observed& observed, Bytes size) {
  const bool is_told_at_once = observed.online.gate == RestoreGate::kPhase;
  if (is_told_at_once && desired.status.current_size)
    return WriteStatus{provisioned_status(desired, *desired.status.current_size, size)};
  return plan_transfer(desired, observed);
}

// [R-PLAN-8], section 3. Marking waits for the class to be found: nobody's wrong class may leave
// behind an object that a finalizer, or a record, keeps from going [R-REC-2].
Step plan_create(const LogicalVolume& desired, const Observed& observed, Bytes size) {
  if (auto step = settle_class(desired, observed)) return std::move(*step);
  if (!observed.looked_up) return LookUp{};  // [R-CREATE-2]
  auto restored = decide_restore(desired, observed);
  if (auto* const step = std::get_if<Step>(&restored)) return std::move(*step);
  if (std::get<bool>(restored)) return plan_restored(desired, observed, size);
  const bool is_snapshot = !desired.spec.source.empty();
  if (is_snapshot && !observed.size) {
    if (!observed.source) return FindSource{};
    if (auto unmet = check_source(desired, *observed.source, size)) return Unmet{std::move(*unmet)};
  }
  if (!desired.has_metadata || desired.uid.empty()) return AddFinalizer{};  // [R-CREATE-1, R-REC-1]
  if (!observed.size && is_snapshot) return CreateSnapshot{observed.source->volume_id, size};
  if (!observed.size) return Create{size};                                // [R-CREATE-3]
  return WriteStatus{provisioned_status(desired, *observed.size, size)};  // [R-CREATE-4]
}

// [R-PLAN-9..11], section 4.
Step plan_growth(const LogicalVolume& desired, const Observed& observed, Bytes size) {
  const auto current = observed.size ? observed.size : desired.status.current_size;
  if (!current || *current < size) {
    if (auto step = settle_class(desired, observed)) return std::move(*step);
    return Resize{size};
  }
  return settle(desired, provisioned_status(desired, *current, size));
}

// What is stored is neither grown nor looked for: its volume is gone [R-ONLINE-5].
Step plan_upkeep(const LogicalVolume& desired, const Observed& observed, Bytes size) {
  if (!is_stored(desired)) return plan_growth(desired, observed, size);
  const auto current = desired.status.current_size;
  if (!current) return Nothing{};
  return settle(desired, provisioned_status(desired, *current, *current));
}

// Growing is for before and after.
bool is_copying(const LogicalVolume& desired) {
  return desired.status.snapshot && desired.status.snapshot->phase == SnapshotPhase::kRunning;
}

}  // namespace

Step plan(const LogicalVolume& desired, const Observed& observed) {
  if (is_pending_deletion(desired)) return Nothing{};  // [R-PLAN-1]
  if (desired.removal_wanted) return plan_removal(desired, observed);
  if (desired.defect) return refuse(desired, *desired.defect);
  if (const auto foreign = check_volume_id(desired)) return refuse(desired, *foreign);
  const auto size = parse_wanted_size(desired.spec.size);
  if (!size) return refuse(desired, size.error());  // [R-PLAN-5]
  const auto wrong_source = check_source_fields(desired);
  if (wrong_source && !has_volume(desired)) return refuse(desired, *wrong_source);  // [R-PLAN-6]
  if (const auto half = check_restore(desired, observed.online)) return refuse(desired, *half);
  if (is_failure_of_the_past(desired, observed)) return WriteStatus{renewed_status(desired)};
  if (has_volume(desired)) {
    if (!desired.has_metadata) return AddFinalizer{};  // [R-PLAN-7]
    if (!observed.online.enabled) return plan_upkeep(desired, observed, *size);
    if (!is_copying(desired))
      if (Step step = plan_upkeep(desired, observed, *size); !std::holds_alternative<Nothing>(step))
        return step;
    return plan_snapshot(desired, observed);
  }
  if (is_withheld(desired, observed)) return plan_withheld(desired, observed, *size);
  return plan_create(desired, observed, *size);
}

}  // namespace lvmd::reconciler
