// A backup, a restore or the deletion of a backup, as lvmd tells it, and as an object's
// status.snapshot keeps it. Rules: R-ONLINE-*.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lvmd::reconciler {

enum class Operation : std::uint8_t { kBackup, kRestore, kDelete };

// "Backup", as status.snapshot has it.
[[nodiscard]] std::string_view to_string(Operation operation);
[[nodiscard]] std::optional<Operation> parse_operation(std::string_view text);

// An object without status.snapshot has none of them [R-ONLINE-6].
enum class SnapshotPhase : std::uint8_t { kPending, kRunning, kSucceeded, kFailed };

// "Pending".
[[nodiscard]] std::string_view to_string(SnapshotPhase phase);
[[nodiscard]] std::optional<SnapshotPhase> parse_snapshot_phase(std::string_view text);

// Which SnapshotBackupStorage: its namespace and name. In the directory store: the files with the
// repository's password and with the credentials, which may be empty.
struct LocationName {
  std::string namespace_name{};
  std::string name{};

  [[nodiscard]] bool is_empty() const { return namespace_name.empty() && name.empty(); }
  friend bool operator==(const LocationName&, const LocationName&) = default;
};

struct TransferProgress {
  // 0 while not known.
  std::uint64_t total_bytes = 0;
  std::uint64_t done_bytes = 0;

  friend bool operator==(const TransferProgress&, const TransferProgress&) = default;
};

// 0 to 100; 0 while the total is not known.
[[nodiscard]] unsigned percentage_of(const TransferProgress& progress);

struct TransferError {
  // By step: "VolumeMountFailed", "SnapshotExecutionFailed" …
  std::string code{};
  // By cause, where it is known: "RepositoryUnreachable" …
  std::string reason{};
  // One sentence for a person.
  std::string message{};
  // The same again may succeed without anybody's doing.
  bool transient = false;

  friend bool operator==(const TransferError&, const TransferError&) = default;
};

// status.snapshot [R-ONLINE-7]. Times are RFC 3339, empty while there is none.
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
  // What is copied to or from, and where its credentials are found. On the object before the first
  // Start, so that a deletion knows it whatever has become of class and claim.
  std::string repository{};
  LocationName storage{};
  // In the repository.
  std::string snapshot_id{};
  // The id of the backup: the UID of the object that asked for it.
  std::string backup_id{};
  // How it is stored.
  std::string version{};
  // How often it has become Pending; begins anew when somebody asks for a retry.
  std::uint32_t attempts = 0;
  // The annotation's value that has been heeded [R-ONLINE-6].
  std::string retry_requested_at{};

  friend bool operator==(const SnapshotStatus&, const SnapshotStatus&) = default;
};

// What lvmd writes into repositories, in status.snapshot.version.
inline constexpr std::string_view kStoredVersion = "lvmd.v1";

// lvmd-reconciler wrote it: version is ours. Of another one nothing is known [R-ONLINE-13].
[[nodiscard]] bool is_ours(const SnapshotStatus& snapshot);

// The backup that a volume can be made from again: ours, succeeded, and its repository and snapshot
// are named [R-ONLINE-13].
[[nodiscard]] bool is_stored_backup(const SnapshotStatus& snapshot);

// A transfer's name at lvmd: operation and the object's UID.
struct TransferName {
  Operation operation = Operation::kBackup;
  std::string id{};

  friend bool operator==(const TransferName&, const TransferName&) = default;
};

enum class TransferPhase : std::uint8_t { kPending, kRunning, kSucceeded, kFailed, kCancelled };

// As lvmd tells it.
struct Transfer {
  TransferPhase phase = TransferPhase::kPending;
  // What it is at: "copying".
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
