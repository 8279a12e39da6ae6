#include "reconciler/volumes/event.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace lvmd::reconciler {
namespace {

// The failure as text for a person; empty when there is none.
std::string failure_in(const VolumeStatus& status) {
  if (!status.message.empty()) return status.message;
  for (const std::string_view type : kVolumeConditions) {
    const Condition* const condition = find_condition(status.conditions, type);
    if (condition != nullptr && condition->status == kFalse) return condition->message;
  }
  return {};
}

std::string_view failed_reason(const LogicalVolume& object) {
  if (object.removal_wanted) return "DeleteFailed";
  const auto& snapshot = object.status.snapshot;
  if (snapshot && snapshot->operation == Operation::kRestore &&
      snapshot->phase != SnapshotPhase::kSucceeded)
    return "RestoreFailed";
  return has_volume(object) ? "ResizeFailed" : "CreateFailed";
}

// "BackupSucceeded", with the repository or the cause. Absent when no transfer has ended.
std::optional<Event> transfer_event(const VolumeStatus& before, const VolumeStatus& after) {
  if (!after.snapshot) return std::nullopt;
  const SnapshotStatus& snapshot = *after.snapshot;
  const bool same_phase = before.snapshot && before.snapshot->phase == snapshot.phase &&
                          before.snapshot->operation == snapshot.operation;
  const std::string reason =
      fmt::format("{}{}", to_string(snapshot.operation), to_string(snapshot.phase));
  if (same_phase) return std::nullopt;
  if (snapshot.phase == SnapshotPhase::kSucceeded)
    return Event{.reason = reason,
                 .message = fmt::format("repository {}, snapshot {}", snapshot.repository,
                                        snapshot.snapshot_id)};
  if (snapshot.phase != SnapshotPhase::kFailed) return std::nullopt;
  return Event{.is_warning = true,
               .reason = reason,
               .message = snapshot.error ? snapshot.error->message : snapshot.message};
}

}  // namespace

std::optional<Event> event_of(const LogicalVolume& before, const VolumeStatus& after) {
  if (auto transfer = transfer_event(before.status, after)) return transfer;
  if (const std::string failure = failure_in(after); !failure.empty()) {
    if (failure == failure_in(before.status)) return std::nullopt;
    return Event{
        .is_warning = true, .reason = std::string{failed_reason(before)}, .message = failure};
  }
  if (after.volume_id.empty() || !after.current_size) return std::nullopt;
  const std::string size = format_quantity(*after.current_size);
  if (before.status.volume_id.empty())
    return Event{.reason = "Created",
                 .message = fmt::format("created volume {} of {}", after.volume_id, size)};
  const auto& old_size = before.status.current_size;
  if (old_size && *old_size < *after.current_size)
    return Event{.reason = "Resized",
                 .message = fmt::format("resized volume {} from {} to {}", after.volume_id,
                                        format_quantity(*old_size), size)};
  return std::nullopt;
}

Event deleted_event(const LogicalVolume& object) {
  return {.reason = "Deleted", .message = fmt::format("removed volume {}", object.uid)};
}

Event abandoned_event(const LogicalVolume& object) {
  return {.is_warning = true,
          .reason = "Abandoned",
          .message = fmt::format("released by annotation {}: volume {}, if it exists, stays",
                                 kAbandonAnnotation, object.uid)};
}

}  // namespace lvmd::reconciler
