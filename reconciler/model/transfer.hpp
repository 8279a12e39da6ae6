// A backup, a restore or the deletion of a backup: lvmd's report, and the object's status.snapshot.
// Rules: R-ONLINE-*.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lvmd::reconciler {

enum class Operation : std::uint8_t { kBackup, kRestore, kDelete };

// "Backup", as in status.snapshot.
[[nodiscard]] std::string_view to_string(Operation operation);
[[nodiscard]] std::optional<Operation> parse_operation(std::string_view text);

// An object without status.snapshot has no phase [R-ONLINE-6].
enum class SnapshotPhase : std::uint8_t { kPending, kRunning, kSucceeded, kFailed };

// "Pending".
[[nodiscard]] std::string_view to_string(SnapshotPhase phase);
[[nodiscard]] std::optional<SnapshotPhase> parse_snapshot_phase(std::string_view text);

// A SnapshotBackupStorage by namespace and name. In the directory store: the paths of the
// credentials file, which may be empty, and of the password file.
struct LocationName {
  std::string namespace_name{};
  std::string name{};

  [[nodiscard]] bool is_empty() const { return namespace_name.empty() && name.empty(); }
  friend bool operator==(const LocationName&, const LocationName&) = default;
};

struct TransferProgress {
  // 0 while it is unknown.
  std::uint64_t total_bytes = 0;
  std::uint64_t done_bytes = 0;

  friend bool operator==(const TransferProgress&, const TransferProgress&) = default;
};

// 0 to 100; 0 while the total is unknown.
[[nodiscard]] unsigned percentage_of(const TransferProgress& progress);

struct TransferError {
  // The step that failed: "VolumeMountFailed", "SnapshotExecutionFailed" …
  std::string code{};
  // The cause, if it is known: "RepositoryUnreachable" …
  std::string reason{};
  // One sentence for a person.
  std::string message{};
  // The same transfer can succeed later without a change.
  bool transient = false;

  friend bool operator==(const TransferError&, const TransferError&) = default;
};

// status.snapshot [R-ONLINE-7]. Times are RFC 3339, or empty.
struct SnapshotStatus {
  Operation operation = Operation::kBackup;
  SnapshotPhase phase = SnapshotPhase::kPending;
  std::string start_time{};
  std::string completion_time{};
  // "1h2m3s".
  std::string duration{};
  std::optional<TransferProgress> progress{};
  std::string message{};
  std::optional<TransferError> error{};
  // The repository, and where its credentials are. The object has both before the first Start, so
  // that a deletion finds them even if class and claim are gone.
  std::string repository{};
  LocationName storage{};
  // In the repository.
  std::string snapshot_id{};
  // The id of the backup: the UID of the object that requested it.
  std::string backup_id{};
  // The format of the stored data.
  std::string version{};
  // How often the phase became Pending. A requested retry resets it.
  std::uint32_t attempts = 0;
  // The last value of the annotation that was handled [R-ONLINE-6].
  std::string retry_requested_at{};

  friend bool operator==(const SnapshotStatus&, const SnapshotStatus&) = default;
};

// The format that lvmd writes into repositories, for status.snapshot.version.
inline constexpr std::string_view kStoredVersion = "lvmd.v1";

// lvmd-reconciler wrote the status: the version is lvmd's. Nothing is known about another
// operator's [R-ONLINE-13].
[[nodiscard]] bool is_ours(const SnapshotStatus& snapshot);

// A volume can be restored from this backup: it is lvmd's, has succeeded, and names its repository
// and snapshot [R-ONLINE-13].
[[nodiscard]] bool is_stored_backup(const SnapshotStatus& snapshot);

// A transfer's name in lvmd: operation and the object's UID.
struct TransferName {
  Operation operation = Operation::kBackup;
  std::string id{};

  friend bool operator==(const TransferName&, const TransferName&) = default;
};

enum class TransferPhase : std::uint8_t { kPending, kRunning, kSucceeded, kFailed, kCancelled };

// lvmd's report.
struct Transfer {
  TransferPhase phase = TransferPhase::kPending;
  // The current step: "copying".
  std::string step{};
  TransferProgress progress{};
  std::optional<TransferError> error{};
  std::optional<std::chrono::system_clock::time_point> start_time{};
  std::optional<std::chrono::system_clock::time_point> completion_time{};
  std::string snapshot_id{};

  friend bool operator==(const Transfer&, const Transfer&) = default;
};

[[nodiscard]] bool has_ended(const Transfer& transfer);

// "1h2m3s", "0s".
[[nodiscard]] std::string format_duration(std::chrono::seconds duration);

}  // namespace lvmd::reconciler
