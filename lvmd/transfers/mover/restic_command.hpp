// Builds restic's command lines. Neither the arguments nor the environment contain a secret
// [P-XFER-5].
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
  // The complete environment, as "NAME=value".
  std::vector<std::string> environment;
};

// The properties of a volume that a snapshot in the repository carries as tags [P-XFER-8].
struct SnapshotTags {
  std::string backup_id;
  v1::Mode mode = v1::MODE_FILES;
  // Set in mode FILES.
  std::string fs_type;
  std::uint64_t size_bytes = 0;

  friend bool operator==(const SnapshotTags&, const SnapshotTags&) = default;
};

// "lvmd.v1.backup=<id>".
[[nodiscard]] std::string backup_tag(std::string_view backup_id);
// Converts the properties to tags.
[[nodiscard]] std::vector<std::string> to_tags(const SnapshotTags& tags);
// Parses tags. Ignores foreign ones; properties without a tag keep their defaults, mode AUTO.
[[nodiscard]] SnapshotTags parse_tags(const std::vector<std::string>& strings);

// Paths in the mover's mount namespace. The volume always has the same path, so that restic
// recognises unchanged files.
inline constexpr std::string_view kVolumePath = "/volume";
inline constexpr std::string_view kRepositoryPath = "/repository";
inline constexpr std::string_view kCachePath = "/cache";
inline constexpr std::string_view kTemporaryPath = "/tmp";
inline constexpr std::string_view kResticPath = "/restic";
// The name of the file in a snapshot of blocks.
inline constexpr std::string_view kBlocksFile = "blocks";

// Immutable after construction.
class ResticCommands {
 public:
  // `files` contain the job's secrets and must outlive the commands.
  ResticCommands(const internal::MoverJob& job, const SecretFiles& files);

  // These commands read without a lock, because they must work while another process holds an
  // exclusive lock.
  [[nodiscard]] CommandLine list_locks() const;
  [[nodiscard]] CommandLine list_locks_without_region() const;
  [[nodiscard]] CommandLine read_lock(std::string_view id) const;
  [[nodiscard]] CommandLine snapshots_of(std::string_view backup_id) const;
  [[nodiscard]] CommandLine snapshot(std::string_view snapshot_id) const;

  [[nodiscard]] CommandLine init() const;
  [[nodiscard]] CommandLine unlock() const;
  [[nodiscard]] CommandLine back_up_files(const SnapshotTags& tags) const;
  // Stores the data from standard input.
  [[nodiscard]] CommandLine back_up_blocks(const SnapshotTags& tags) const;
  // Restores onto the volume, including owner, mode and times of its root directory. Omits
  // trusted.* attributes if restic supports that [P-XFER-4]: on btrfs a backup contains them, but a
  // restore may not set them.
  [[nodiscard]] CommandLine restore_files(std::string_view snapshot_id) const;
  // Writes nothing: compares the content of each file with the hashes in the repository, and
  // reports matching files as skipped.
  [[nodiscard]] CommandLine compare_files(std::string_view snapshot_id) const;
  [[nodiscard]] CommandLine list_files(std::string_view snapshot_id) const;
  // Writes all files as an archive, or the stream of blocks, to standard output.
  [[nodiscard]] CommandLine dump_files(std::string_view snapshot_id) const;
  [[nodiscard]] CommandLine dump_blocks(std::string_view snapshot_id) const;
  // Removes the snapshots and the data that only they reference.
  [[nodiscard]] CommandLine forget(const std::vector<std::string>& snapshot_ids) const;
  // Removes only the snapshot. A later deletion frees the space.
  [[nodiscard]] CommandLine forget_only(std::string_view snapshot_id) const;
  // Removes data that no snapshot references.
  [[nodiscard]] CommandLine prune() const;

 private:
  [[nodiscard]] CommandLine command(std::vector<std::string> arguments) const;

  std::vector<std::string> common_;
  std::vector<std::string> environment_;
  bool excludes_xattrs_;
};

}  // namespace lvmd::transfers::mover
