#include "reconciler/volumes/failure.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "lvmd/base/reason.hpp"
#include "reconciler/model/names.hpp"
#include "reconciler/model/reason.hpp"

namespace lvmd::reconciler {
namespace {

// The volume was created and does not exist any more. With an unknown class, that is not known.
bool is_volume_lost(const LogicalVolume& object, const Error& error) {
  return has_volume(object) && error.code == Code::kNotFound &&
         error.reason != lvmd::reason::kUnknownDeviceClass;
}

std::string_view condition_for(const LogicalVolume& object, const Error& error) {
  const bool stands = has_volume(object) && !object.removal_wanted &&
                      error.reason != own_reason::kForeignVolumeId &&
                      error.reason != own_reason::kForeignSnapshot &&
                      error.reason != own_reason::kOnlineSnapshotsOff &&
                      !is_volume_lost(object, error);
  return stands ? kResizedType : kReadyType;
}

}  // namespace

bool is_transient(Code code) {
  return code == Code::kUnavailable || code == Code::kAborted || code == Code::kDeadlineExceeded ||
         code == Code::kCancelled || code == Code::kUnknown;
}

bool is_lvmd_away(const Error& error) {
  return error.code == Code::kUnavailable &&
         (error.reason == own_reason::kLvmdUnreachable || error.reason == lvmd::reason::kStopping);
}

bool is_refused_creation(const LogicalVolume& object, const Error& error) {
  return !is_transient(error.code) && !has_volume(object) && !object.removal_wanted;
}

VolumeStatus failed_status(const LogicalVolume& object, const Error& error) {
  VolumeStatus status = object.status;
  status.observed_generation = object.generation;
  set_condition(status.conditions, make_condition(condition_for(object, error), kFalse,
                                                  camel_case(reason_of(error)), describe(error)));
  if (is_transient(error.code)) return status;
  status.code = static_cast<std::uint32_t>(error.code);
  status.message = describe(error);
  return status;
}

bool shows_failure(const VolumeStatus& status) {
  return status.code != 0 || !status.message.empty() ||
         std::ranges::any_of(kVolumeConditions, [&](std::string_view type) {
           const Condition* const condition = find_condition(status.conditions, type);
           return condition != nullptr && condition->status == kFalse;
         });
}

Phase phase_of(const LogicalVolume& object) {
  if (object.removal_wanted) return Phase::kDeleting;
  if (shows_failure(object.status)) return Phase::kFailed;
  return has_volume(object) ? Phase::kReady : Phase::kPending;
}

std::string_view to_string(Phase phase) {
  constexpr Names<Phase, 4> kNames{{{Phase::kPending, "Pending"},
                                    {Phase::kReady, "Ready"},
                                    {Phase::kFailed, "Failed"},
                                    {Phase::kDeleting, "Deleting"}}};
  return name_of(kNames, phase);
}

VolumeStatus renewed_status(const LogicalVolume& object) {
  VolumeStatus status = object.status;
  status.code = 0;
  status.message.clear();
  status.observed_generation = object.generation;
  for (const std::string_view type : kVolumeConditions)
    if (const Condition* const old = find_condition(status.conditions, type);
        old != nullptr && old->status == kFalse)
      set_condition(status.conditions, make_condition(type, kUnknown, own_reason::kPending));
  return status;
}

}  // namespace lvmd::reconciler
