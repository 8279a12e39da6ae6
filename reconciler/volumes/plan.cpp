#include "reconciler/volumes/plan.hpp"

#include <utility>

#include "reconciler/model/reason.hpp"
#include "reconciler/volumes/failure.hpp"
#include "reconciler/volumes/provisioned.hpp"

namespace lvmd::reconciler {
namespace {

VolumeStep refuse(const LogicalVolume& desired, const Error& error) {
  return settle(desired, failed_status(desired, error));
}

// A status that names another volume was copied from another object. Acting on that volume, or on
// this object's own, could destroy data.
std::optional<Error> check_volume_id(const LogicalVolume& desired) {
  const std::string& volume_id = desired.status.volume_id;
  if (volume_id.empty() || volume_id == desired.uid) return std::nullopt;
  return make_error(Code::kFailedPrecondition,
                    "status.volumeID \"{}\" is not this object's volume \"{}\": neither is "
                    "changed; clear status.volumeID if it was copied here",
                    volume_id, desired.uid)
      .because(own_reason::kForeignVolumeId);
}

VolumeStep plan_removal(const LogicalVolume& desired, const VolumeObserved& observed,
                        const SnapshotConstraint& constraint) {
  if (!desired.has_finalizer) return Nothing{};  // [R-PLAN-2]
  if (is_abandoned(desired))                     // [R-PLAN-12]
    return observed.owner_cleared ? VolumeStep{Abandon{}} : VolumeStep{ClearOwner{}};
  if (const auto foreign = check_volume_id(desired)) return refuse(desired, *foreign);
  if (!observed.removed && constraint.refusal) return refuse(desired, *constraint.refusal);
  if (!desired.removal_begun) return BeginRemoval{};  // [R-REC-3]
  if (observed.removed) return RemoveFinalizer{};     // [R-PLAN-4]
  if (constraint.blocks_removal) return Yield{};      // [R-ONLINE-8]
  if (auto step = settle_class(desired, observed)) return std::move(*step);
  return Remove{};  // [R-PLAN-3]
}

// The failure belongs to an earlier request: a client must not take it for the response to the
// current one [R-FAIL-11]. The API server counts the changes of the spec. The reconciliation
// reports other changes, and those in a store that does not count.
bool is_failure_of_the_past(const LogicalVolume& desired, const VolumeObserved& observed,
                            const SnapshotConstraint& constraint) {
  const bool changed = observed.renewed || desired.status.observed_generation != desired.generation;
  return (changed || constraint.is_refusal_outdated) && shows_failure(desired.status);
}

// An empty volume, to be filled from a backup [R-ONLINE-3]. The decision is durable before the
// volume is created.
VolumeStep plan_restored(const LogicalVolume& desired, const VolumeObserved& observed,
                         const SnapshotConstraint& constraint, Bytes size) {
  if (!desired.has_metadata || desired.uid.empty() || desired.restore_from.empty())
    return AddFinalizer{constraint.restore_from};
  if (!observed.size) return Create{.size = size, .restore = desired.uid};
  return Yield{};
}

// [R-PLAN-8], section 3. The finalizer is added after the class was found: an object with a wrong
// class must not keep a finalizer or a record [R-REC-2].
VolumeStep plan_create(const LogicalVolume& desired, const VolumeObserved& observed,
                       const SnapshotConstraint& constraint, Bytes size) {
  if (auto step = settle_class(desired, observed)) return std::move(*step);
  if (!observed.looked_up) return LookUp{};  // [R-CREATE-2]
  if (constraint.creation == CreationMode::kUndecided) return Yield{};
  if (constraint.creation == CreationMode::kRestore)
    return plan_restored(desired, observed, constraint, size);
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
VolumeStep plan_growth(const LogicalVolume& desired, const VolumeObserved& observed, Bytes size) {
  const auto current = observed.size ? observed.size : desired.status.current_size;
  if (!current || *current < size) {
    if (auto step = settle_class(desired, observed)) return std::move(*step);
    return Resize{size};
  }
  return settle(desired, provisioned_status(desired, *current, size));
}

// A stored snapshot is neither grown nor looked for: its volume is removed [R-ONLINE-5].
VolumeStep plan_upkeep(const LogicalVolume& desired, const VolumeObserved& observed, Bytes size) {
  if (!is_stored(desired)) return plan_growth(desired, observed, size);
  const auto current = desired.status.current_size;
  if (!current) return Nothing{};
  return settle(desired, provisioned_status(desired, *current, *current));
}

}  // namespace

VolumeStep plan_volume(const LogicalVolume& desired, const VolumeObserved& observed,
                       const SnapshotConstraint& constraint) {
  if (is_pending_deletion(desired)) return Nothing{};  // [R-PLAN-1]
  if (desired.removal_wanted) return plan_removal(desired, observed, constraint);
  if (desired.defect) return refuse(desired, *desired.defect);
  if (const auto foreign = check_volume_id(desired)) return refuse(desired, *foreign);
  const auto size = parse_wanted_size(desired.spec.size);
  if (!size) return refuse(desired, size.error());  // [R-PLAN-5]
  const auto wrong_source = check_source_fields(desired);
  if (wrong_source && !has_volume(desired)) return refuse(desired, *wrong_source);  // [R-PLAN-6]
  if (constraint.refusal) return refuse(desired, *constraint.refusal);
  if (is_failure_of_the_past(desired, observed, constraint))
    return WriteStatus{renewed_status(desired)};
  if (constraint.withholds_volume) return Yield{};
  if (!has_volume(desired)) return plan_create(desired, observed, constraint, *size);
  if (!desired.has_metadata) return AddFinalizer{};  // [R-PLAN-7]
  if (constraint.blocks_growth) return Yield{};
  VolumeStep step = plan_upkeep(desired, observed, *size);
  if (constraint.is_enabled && std::holds_alternative<Nothing>(step)) return Yield{};
  return step;
}

}  // namespace lvmd::reconciler
