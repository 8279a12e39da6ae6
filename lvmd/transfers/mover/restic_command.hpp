// restic's command lines. No secret is in them, nor in the environment [P-XFER-5].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "internal/transfer.pb.h"
#include "lvmd/transfers/mover/credentials.hpp"

namespace lvmd::transfers::mover {

struct CommandLine {
  std::vector<std::string> arguments;
  // "NAME=value"; nothing else is in it.
  std::vector<std::string> environment;
};

// What a snapshot in the repository tells of the volume [P-XFER-8]: tags.
struct SnapshotTags {
  std::string backup_id;
  v1::Mode mode = v1::MODE_FILES;
  // Of files.
  std::string fs_type;
  std::uint64_t size_bytes = 0;

  friend bool operator==(const SnapshotTags&, const SnapshotTags&) = default;
};

// "lvmd.v1.backup=<id>".
[[nodiscard]] std::string backup_tag(std::string_view backup_id);
[[nodiscard]] std::vector<std::string> to_tags(const SnapshotTags& tags);
// Of tags that are ours; what isn't there keeps its default.
[[nodiscard]] SnapshotTags parse_tags(const std::vector<std::string>& strings);

// Where things are in the mover's own mount namespace. The volume's place is always the same, so
// that restic finds unchanged files by their paths.
inline constexpr std::string_view kVolumePath = "/volume";
inline constexpr std::string_view kRepositoryPath = "/repository";
inline constexpr std::string_view kCachePath = "/cache";
inline constexpr std::string_view kResticPath = "/restic";
// The file in a snapshot of blocks.
inline constexpr std::string_view kBlocksFile = "blocks";

class ResticCommands {
 public:
  // `files` have the job's secrets in them.
  ResticCommands(const internal::MoverJob& job, const SecretFiles& files);

  // Read without a lock: they must answer while another one has the repository to itself.
  [[nodiscard]] CommandLine list_locks() const;
  [[nodiscard]] CommandLine list_locks_without_region() const;
  [[nodiscard]] CommandLine read_lock(std::string_view id) const;
  [[nodiscard]] CommandLine snapshots_of(std::string_view backup_id) const;
  [[nodiscard]] CommandLine snapshot(std::string_view snapshot_id) const;

  [[nodiscard]] CommandLine init() const;
  [[nodiscard]] CommandLine unlock() const;
  [[nodiscard]] CommandLine back_up_files(const SnapshotTags& tags) const;
  // Of what comes on its standard input.
  [[nodiscard]] CommandLine back_up_blocks(const SnapshotTags& tags) const;
  // Onto the volume, its root folder with its owner, mode and times too. Without trusted.*
  // attributes where restic can leave them out [P-XFER-4]: btrfs shows them to a backup that may
  // not set them again.
  [[nodiscard]] CommandLine restore_files(std::string_view snapshot_id) const;
  // Writes nothing: compares the content of each file with the hashes in the repository, and counts
  // those that match as skipped.
  [[nodiscard]] CommandLine compare_files(std::string_view snapshot_id) const;
  [[nodiscard]] CommandLine list_files(std::string_view snapshot_id) const;
  // All files as an archive, or the stream of blocks, to its standard output.
  [[nodiscard]] CommandLine dump_files(std::string_view snapshot_id) const;
  [[nodiscard]] CommandLine dump_blocks(std::string_view snapshot_id) const;
  // With all that only they needed.
  [[nodiscard]] CommandLine forget(const std::vector<std::string>& snapshot_ids) const;
  // Without: the space is a later deletion's.
  [[nodiscard]] CommandLine forget_only(std::string_view snapshot_id) const;
  // What no snapshot needs.
  [[nodiscard]] CommandLine prune() const;

 private:
  [[nodiscard]] CommandLine command(std::vector<std::string> arguments) const;

  std::vector<std::string> common_;
  std::vector<std::string> environment_;
  bool excludes_xattrs_;
};

}  // namespace lvmd::transfers::mover
