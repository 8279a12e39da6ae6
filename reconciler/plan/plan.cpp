#include "reconciler/plan/plan.hpp"

#include <utility>

#include "reconciler/model/reason.hpp"
#include "reconciler/plan/failure.hpp"

namespace lvmd::reconciler {
namespace {

// Status is written only when it differs [R-RUN-3].
Step settle(const LogicalVolume& desired, VolumeStatus status) {
  if (status == desired.status) return Nothing{};
  return WriteStatus{std::move(status)};
}

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

// What is missing of the device class before lvmd can be told of the volume.
std::optional<Step> settle_class(const LogicalVolume& desired, const Observed& observed) {
  if (!needs_classes(desired)) return std::nullopt;
  if (!observed.classes) return FindClasses{};
  auto device_class = device_class_of(desired, *observed.classes);
  if (!device_class) return Unmet{std::move(device_class.error())};
  return std::nullopt;
}

Step plan_removal(const LogicalVolume& desired, const Observed& observed) {
  if (!desired.held) return Nothing{};          // [R-PLAN-2]
  if (is_abandoned(desired)) return Abandon{};  // [R-PLAN-12]
  if (const auto foreign = check_volume_id(desired)) return refuse(desired, *foreign);
  if (!desired.removal_begun) return BeginRemoval{};  // [R-REC-3]
  if (observed.removed) return Release{};             // [R-PLAN-4]
  if (auto step = settle_class(desired, observed)) return std::move(*step);
  return Remove{};  // [R-PLAN-3]
}

// A volume of `size`, and nothing wrong with it [R-CREATE-4, R-OBJ-25].
VolumeStatus good_status(const LogicalVolume& desired, Bytes size, Bytes wanted) {
  VolumeStatus status{.volume_id = desired.uid,
                      .current_size = size,
                      .observed_generation = desired.generation,
                      .conditions = desired.status.conditions};
  set_condition(status.conditions, {.type = std::string{kReadyType},
                                    .status = std::string{kTrue},
                                    .reason = std::string{own_reason::kProvisioned}});
  const bool reached = size >= wanted;
  set_condition(status.conditions,
                {.type = std::string{kResizedType},
                 .status = std::string{reached ? kTrue : kUnknown},
                 .reason = std::string{reached ? own_reason::kSizeReached : own_reason::kPending}});
  return status;
}

// What failed was asked for before: a client must not take it for the answer to what is asked for
// now [R-FAIL-11]. The API server counts the changes of the spec; other changes, and those of a
// store that doesn't count, the runner tells of.
bool is_failure_of_the_past(const LogicalVolume& desired, const Observed& observed) {
  const bool changed = observed.renewed || desired.status.observed_generation != desired.generation;
  return changed && shows_failure(desired.status);
}

// [R-PLAN-8], section 3. Marking waits for the class to be found: nobody's wrong class may leave
// behind an object that a finalizer, or a record, keeps from going [R-REC-2].
Step plan_create(const LogicalVolume& desired, const Observed& observed, Bytes size) {
  if (auto step = settle_class(desired, observed)) return std::move(*step);
  if (!observed.looked_up) return LookUp{};  // [R-CREATE-2]
  const bool is_snapshot = !desired.spec.source.empty();
  if (is_snapshot && !observed.size) {
    if (!observed.source) return FindSource{};
    if (auto unmet = check_source(desired, *observed.source, size)) return Unmet{std::move(*unmet)};
  }
  if (!desired.marked || desired.uid.empty()) return Mark{};  // [R-CREATE-1, R-REC-1]
  if (!observed.size && is_snapshot) return CreateSnapshot{observed.source->volume_id, size};
  if (!observed.size) return Create{size};                         // [R-CREATE-3]
  return WriteStatus{good_status(desired, *observed.size, size)};  // [R-CREATE-4]
}

// [R-PLAN-9..11], section 4.
Step plan_growth(const LogicalVolume& desired, const Observed& observed, Bytes size) {
  const auto current = observed.size ? observed.size : desired.status.current_size;
  if (!current || *current < size) {
    if (auto step = settle_class(desired, observed)) return std::move(*step);
    return Resize{size};
  }
  return settle(desired, good_status(desired, *current, size));
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
  if (is_failure_of_the_past(desired, observed)) return WriteStatus{renewed_status(desired)};
  if (has_volume(desired)) {
    if (!desired.marked) return Mark{};  // [R-PLAN-7]
    return plan_growth(desired, observed, *size);
  }
  return plan_create(desired, observed, *size);
}

}  // namespace lvmd::reconciler
