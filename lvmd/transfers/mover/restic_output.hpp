// Parses the output of restic, with and without --json. Unknown messages and fields are ignored,
// because later versions of restic add some. All functions are pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::transfers::mover {

// The progress of a running backup or restore.
struct StatusMessage {
  std::uint64_t total_files = 0;
  std::uint64_t done_files = 0;
  std::uint64_t total_bytes = 0;
  std::uint64_t done_bytes = 0;

  friend bool operator==(const StatusMessage&, const StatusMessage&) = default;
};

// The last message of a backup that made a snapshot.
struct BackupSummary {
  std::string snapshot_id;
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

// The last message of a restore. Skipped files existed already with the content in the snapshot.
struct RestoreSummary {
  std::uint64_t total_files = 0;
  std::uint64_t total_bytes = 0;
  std::uint64_t skipped_files = 0;
  std::uint64_t skipped_bytes = 0;
  std::uint64_t restored_bytes = 0;
};

using OutputMessage = std::variant<std::monostate, StatusMessage, BackupSummary, RestoreSummary>;

// Parses a line of the standard output of a backup or restore.
[[nodiscard]] OutputMessage parse_output(std::string_view line);

// The text of a line of standard error: the message with the file's path, or the line itself when
// it is not JSON.
struct ErrorLine {
  std::string text;
  // restic could not read or write a file.
  bool about_file = false;
};
[[nodiscard]] ErrorLine parse_error_line(std::string_view line);

struct Snapshot {
  std::string id;
  // RFC 3339, as restic writes it. The order of the texts is nearly the order of the times.
  std::string time;
  std::vector<std::string> tags;
};

// Parses the output of `snapshots`. Internal when it is invalid.
[[nodiscard]] Result<std::vector<Snapshot>> parse_snapshots(std::string_view text);
// Parses the output of `cat snapshot`, which contains no id. Internal when it is invalid.
[[nodiscard]] Result<Snapshot> parse_snapshot(std::string_view text);

// The output of `cat lock`.
struct RepositoryLock {
  std::string hostname;
  std::int64_t pid = 0;
};
[[nodiscard]] Result<RepositoryLock> parse_lock(std::string_view text);

// Parses the output of `list locks`: one id per line. Ignores other lines.
[[nodiscard]] std::vector<std::string> parse_ids(std::string_view text);

}  // namespace lvmd::transfers::mover
