#include "reconciler/plan/plan.hpp"

#include <utility>

#include "reconciler/plan/failure.hpp"

namespace lvmd::reconciler {
namespace {

// Status is written only when it differs [R-RUN-3].
Step settle(const LogicalVolume& desired, VolumeStatus status) {
  if (status == desired.status) return Nothing{};
  return WriteStatus{std::move(status)};
}

Step refuse(const LogicalVolume& desired, const Error& error) {
  return settle(desired, failed_status(desired.status, error));
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
      volume_id, desired.uid);
}

Step plan_removal(const LogicalVolume& desired, const Observed& observed) {
  if (!desired.held) return Nothing{};  // [R-PLAN-2]
  if (const auto foreign = check_volume_id(desired)) return refuse(desired, *foreign);
  if (!desired.removal_begun) return BeginRemoval{};  // [R-REC-3]
  if (!observed.removed) return Remove{};             // [R-PLAN-3]
  return Release{};                                   // [R-PLAN-4]
}

VolumeStatus good_status(const LogicalVolume& desired, Bytes size) {
  return {.volume_id = desired.uid, .code = 0, .message = {}, .current_size = size};
}

// [R-PLAN-8], section 3. Marking waits for the class to be found: nobody's wrong class may leave
// behind an object that a finalizer, or a record, keeps from going [R-REC-2].
Step plan_create(const LogicalVolume& desired, const Observed& observed, Bytes size) {
  if (!observed.looked_up) return LookUp{};                   // [R-CREATE-2]
  if (!desired.marked || desired.uid.empty()) return Mark{};  // [R-CREATE-1, R-REC-1]
  if (!observed.size) return Create{size};                    // [R-CREATE-3]
  return WriteStatus{good_status(desired, *observed.size)};   // [R-CREATE-4]
}

// [R-PLAN-9..11], section 4.
Step plan_growth(const LogicalVolume& desired, const Observed& observed, Bytes size) {
  const auto current = observed.size ? observed.size : desired.status.current_size;
  if (!current || *current < size) return Resize{size};
  return settle(desired, good_status(desired, *current));
}

}  // namespace

Step plan(const LogicalVolume& desired, const Observed& observed) {
  if (is_pending_deletion(desired)) return Nothing{};  // [R-PLAN-1]
  if (desired.removal_wanted) return plan_removal(desired, observed);
  if (desired.defect) return refuse(desired, *desired.defect);
  if (const auto foreign = check_volume_id(desired)) return refuse(desired, *foreign);
  const auto size = parse_wanted_size(desired.spec.size);
  if (!size) return refuse(desired, size.error());  // [R-PLAN-5]
  if (has_volume(desired)) {
    if (!desired.marked) return Mark{};  // [R-PLAN-7]
    return plan_growth(desired, observed, *size);
  }
  if (!desired.spec.source.empty())  // [R-PLAN-6]
    return refuse(desired, make_error(Code::kUnimplemented,
                                      "spec.source \"{}\": snapshots and clones are not supported "
                                      "yet; nothing is created",
                                      desired.spec.source));
  return plan_create(desired, observed, *size);
}

}  // namespace lvmd::reconciler
