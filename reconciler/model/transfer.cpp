#include "reconciler/model/transfer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reconciler/model/names.hpp"

namespace lvmd::reconciler {
namespace {

constexpr Names<Operation, 3> kOperations{{{Operation::kBackup, "Backup"},
                                           {Operation::kRestore, "Restore"},
                                           {Operation::kDelete, "Delete"}}};

constexpr Names<SnapshotPhase, 4> kSnapshotPhases{{{SnapshotPhase::kPending, "Pending"},
                                                   {SnapshotPhase::kRunning, "Running"},
                                                   {SnapshotPhase::kSucceeded, "Succeeded"},
                                                   {SnapshotPhase::kFailed, "Failed"}}};

}  // namespace

std::string_view to_string(Operation operation) { return name_of(kOperations, operation); }

std::optional<Operation> parse_operation(std::string_view text) {
  return value_of(kOperations, text);
}

std::string_view to_string(SnapshotPhase phase) { return name_of(kSnapshotPhases, phase); }

std::optional<SnapshotPhase> parse_snapshot_phase(std::string_view text) {
  return value_of(kSnapshotPhases, text);
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
  return transfer.phase != TransferPhase::kPending && transfer.phase != TransferPhase::kRunning;
}

std::string format_duration(std::chrono::seconds duration) {
  const auto seconds = std::max<std::chrono::seconds::rep>(duration.count(), 0);
  std::string text;
  if (seconds >= 3600) text += fmt::format("{}h", seconds / 3600);
  if (seconds >= 60) text += fmt::format("{}m", seconds / 60 % 60);
  return text + fmt::format("{}s", seconds % 60);
}

}  // namespace lvmd::reconciler
