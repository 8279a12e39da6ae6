// What restic says with --json, and what it doesn't put into JSON. Messages and fields that are not
// known here are passed over: later versions have more of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::transfers::mover {

// Of a backup or a restore that runs.
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

// The last message of a restore. Skipped: were there already, as they are in the snapshot.
struct RestoreSummary {
  std::uint64_t total_files = 0;
  std::uint64_t total_bytes = 0;
  std::uint64_t skipped_files = 0;
  std::uint64_t skipped_bytes = 0;
  std::uint64_t restored_bytes = 0;
};

using OutputMessage = std::variant<std::monostate, StatusMessage, BackupSummary, RestoreSummary>;

// A line of a backup's or restore's standard output.
[[nodiscard]] OutputMessage parse_output(std::string_view line);

// A line of standard error, for a person: a message's text, with the file it is about; the line
// itself when it is no JSON.
struct ErrorLine {
  std::string text;
  // A file couldn't be read, or written.
  bool about_file = false;
};
[[nodiscard]] ErrorLine parse_error_line(std::string_view line);

struct Snapshot {
  std::string id;
  // RFC 3339, as restic has it; the order of texts is nearly that of times.
  std::string time;
  std::vector<std::string> tags;
};

// The answer of `snapshots`.
[[nodiscard]] Result<std::vector<Snapshot>> parse_snapshots(std::string_view text);
// The answer of `cat snapshot`, which has no id in it.
[[nodiscard]] Result<Snapshot> parse_snapshot(std::string_view text);

// The answer of `cat lock`.
struct RepositoryLock {
  std::string hostname;
  std::int64_t pid = 0;
};
[[nodiscard]] Result<RepositoryLock> parse_lock(std::string_view text);

// The ids that `list locks` prints, one a line.
[[nodiscard]] std::vector<std::string> parse_ids(std::string_view text);

}  // namespace lvmd::transfers::mover
