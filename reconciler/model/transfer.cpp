#include "reconciler/model/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace lvmd::reconciler {

std::string_view to_string(Operation operation) {
  switch (operation) {
    case Operation::kBackup:
      return "Backup";
    case Operation::kRestore:
      return "Restore";
    case Operation::kDelete:
      return "Delete";
  }
  return "";
}

std::optional<Operation> parse_operation(std::string_view text) {
  for (const Operation operation : {Operation::kBackup, Operation::kRestore, Operation::kDelete})
    if (text == to_string(operation)) return operation;
  return std::nullopt;
}

std::string_view to_string(SnapshotPhase phase) {
  switch (phase) {
    case SnapshotPhase::kPending:
      return "Pending";
    case SnapshotPhase::kRunning:
      return "Running";
    case SnapshotPhase::kSucceeded:
      return "Succeeded";
    case SnapshotPhase::kFailed:
      return "Failed";
  }
  return "";
}

std::optional<SnapshotPhase> parse_snapshot_phase(std::string_view text) {
  for (const SnapshotPhase phase : {SnapshotPhase::kPending, SnapshotPhase::kRunning,
                                    SnapshotPhase::kSucceeded, SnapshotPhase::kFailed})
    if (text == to_string(phase)) return phase;
  return std::nullopt;
}

bool is_ours(const SnapshotStatus& snapshot) { return snapshot.version == kStoredVersion; }

bool is_stored_backup(const SnapshotStatus& snapshot) {
  return is_ours(snapshot) && snapshot.operation == Operation::kBackup &&
         snapshot.phase == SnapshotPhase::kSucceeded && !snapshot.repository.empty() &&
         !snapshot.snapshot_id.empty() && !snapshot.backup_id.empty();
}

unsigned percentage_of(const TransferProgress& progress) {
  if (progress.total_bytes == 0) return 0;
  const double part =
      static_cast<double>(progress.done_bytes) / static_cast<double>(progress.total_bytes);
  return static_cast<unsigned>(std::min(part, 1.0) * 100);
}

bool has_ended(const Transfer& transfer) {
  switch (transfer.phase) {
    case TransferPhase::kPending:
    case TransferPhase::kRunning:
      return false;
    case TransferPhase::kSucceeded:
    case TransferPhase::kFailed:
    case TransferPhase::kCancelled:
      return true;
  }
  return false;
}

std::string format_duration(std::chrono::seconds duration) {
  const auto seconds = std::max<std::chrono::seconds::rep>(duration.count(), 0);
  std::string text;
  if (seconds >= 3600) text += fmt::format("{}h", seconds / 3600);
  if (seconds >= 60) text += fmt::format("{}m", seconds / 60 % 60);
  return text + fmt::format("{}s", seconds % 60);
}

}  // namespace lvmd::reconciler
