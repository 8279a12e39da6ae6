#include "lvmd/transfers/mover/restic_command.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <utility>

#include "lvmd/base/parse_number.hpp"
#include "lvmd/transfers/mover/temporary_files.hpp"

namespace lvmd::transfers::mover {
namespace {

// The time to wait for locks of other processes. remove_dead_locks() has removed our own
// [P-XFER-13].
constexpr std::string_view kLockTimeout = "--retry-lock=5m";
constexpr std::string_view kTag = "lvmd.v1";
constexpr std::string_view kBackupTag = "lvmd.v1.backup=";
constexpr std::string_view kModeTag = "lvmd.v1.mode=";
constexpr std::string_view kFsTag = "lvmd.v1.fs=";
constexpr std::string_view kSizeTag = "lvmd.v1.size=";
constexpr std::string_view kFiles = "files";
constexpr std::string_view kBlocks = "blocks";

}  // namespace

std::string backup_tag(std::string_view backup_id) {
  return fmt::format("{}{}", kBackupTag, backup_id);
}

std::vector<std::string> to_tags(const SnapshotTags& tags) {
  std::vector<std::string> strings{
      std::string{kTag}, backup_tag(tags.backup_id),
      fmt::format("{}{}", kModeTag, tags.mode == v1::MODE_BLOCKS ? kBlocks : kFiles),
      fmt::format("{}{}", kSizeTag, tags.size_bytes)};
  if (!tags.fs_type.empty()) strings.push_back(fmt::format("{}{}", kFsTag, tags.fs_type));
  return strings;
}

SnapshotTags parse_tags(const std::vector<std::string>& strings) {
  SnapshotTags tags;
  tags.mode = v1::MODE_AUTO;
  for (const std::string& string : strings) {
    const auto value = [&string](std::string_view tag) {
      return std::string_view{string}.substr(tag.size());
    };
    if (string.starts_with(kBackupTag)) tags.backup_id = value(kBackupTag);
    if (string.starts_with(kModeTag) && value(kModeTag) == kFiles) tags.mode = v1::MODE_FILES;
    if (string.starts_with(kModeTag) && value(kModeTag) == kBlocks) tags.mode = v1::MODE_BLOCKS;
    if (string.starts_with(kFsTag)) tags.fs_type = value(kFsTag);
    if (string.starts_with(kSizeTag))
      tags.size_bytes = parse_number<std::uint64_t>(value(kSizeTag)).value_or(0);
  }
  return tags;
}

ResticCommands::ResticCommands(const internal::MoverJob& job, const SecretFiles& files)
    : common_{std::string{kResticPath},
              fmt::format("--repository-file={}", files.repository_file()),
              fmt::format("--password-file={}", files.password_file()),
              fmt::format("--cache-dir={}", kCachePath),
              "--cleanup-cache",
              "--json"},
      environment_{
          "PATH=/usr/sbin:/usr/bin:/sbin:/bin",
          "HOME=/nonexistent",
          "LC_ALL=C",
          "TZ=UTC",
          "RESTIC_PROGRESS_FPS=1",
          fmt::format("TMPDIR={}", temporary_memory(job) > 0 ? kTemporaryPath : kCachePath)},
      excludes_xattrs_(job.settings().restic_excludes_xattrs()) {
  if (const auto file = files.certificate_file()) common_.push_back("--cacert=" + *file);
  // check_option() has checked names and values (lvmd/transfers/record/location.hpp).
  const auto& options = job.repository().options();
  for (const auto& [name, value] :
       std::map<std::string, std::string>{options.begin(), options.end()})
    common_.push_back(fmt::format("--option={}={}", name, value));
  if (const auto file = files.aws_file())
    environment_.push_back("AWS_SHARED_CREDENTIALS_FILE=" + *file);
}

CommandLine ResticCommands::command(std::vector<std::string> arguments) const {
  CommandLine line{.arguments = common_, .environment = environment_};
  line.arguments.insert(line.arguments.end(), std::make_move_iterator(arguments.begin()),
                        std::make_move_iterator(arguments.end()));
  return line;
}

CommandLine ResticCommands::list_locks() const { return command({"--no-lock", "list", "locks"}); }

CommandLine ResticCommands::list_locks_without_region() const {
  CommandLine line = list_locks();
  std::erase_if(line.arguments, [](const std::string& argument) {
    return argument.starts_with("--option=s3.region=");
  });
  return line;
}

CommandLine ResticCommands::read_lock(std::string_view id) const {
  return command({"--no-lock", "cat", "lock", std::string{id}});
}

CommandLine ResticCommands::snapshots_of(std::string_view backup_id) const {
  return command({"--no-lock", "snapshots", "--tag=" + backup_tag(backup_id)});
}

CommandLine ResticCommands::snapshot(std::string_view snapshot_id) const {
  return command({"--no-lock", "cat", "snapshot", std::string{snapshot_id}});
}

CommandLine ResticCommands::init() const { return command({"init"}); }

CommandLine ResticCommands::unlock() const { return command({"unlock"}); }

CommandLine ResticCommands::back_up_files(const SnapshotTags& tags) const {
  std::vector<std::string> arguments{std::string{kLockTimeout}, "backup", "--host=lvmd"};
  for (const std::string& tag : to_tags(tags)) arguments.push_back("--tag=" + tag);
  arguments.emplace_back(kVolumePath);
  return command(std::move(arguments));
}

CommandLine ResticCommands::back_up_blocks(const SnapshotTags& tags) const {
  std::vector<std::string> arguments{std::string{kLockTimeout}, "backup", "--host=lvmd", "--stdin",
                                     fmt::format("--stdin-filename={}", kBlocksFile)};
  for (const std::string& tag : to_tags(tags)) arguments.push_back("--tag=" + tag);
  return command(std::move(arguments));
}

CommandLine ResticCommands::restore_files(std::string_view snapshot_id) const {
  // Not "<snapshot>:/volume": this form would not restore owner, mode and times of the root
  // directory.
  std::vector<std::string> arguments{std::string{kLockTimeout},
                                     "restore",
                                     std::string{snapshot_id},
                                     "--target=/",
                                     fmt::format("--include={}", kVolumePath),
                                     "--sparse",
                                     "--overwrite=always"};
  if (excludes_xattrs_) arguments.emplace_back("--exclude-xattr=trusted.*");
  return command(std::move(arguments));
}

CommandLine ResticCommands::compare_files(std::string_view snapshot_id) const {
  return command({std::string{kLockTimeout}, "restore", std::string{snapshot_id}, "--target=/",
                  fmt::format("--include={}", kVolumePath), "--dry-run", "--overwrite=always"});
}

CommandLine ResticCommands::list_files(std::string_view snapshot_id) const {
  return command({std::string{kLockTimeout}, "ls", std::string{snapshot_id}});
}

CommandLine ResticCommands::dump_files(std::string_view snapshot_id) const {
  return command(
      {std::string{kLockTimeout}, "dump", "--archive=tar", std::string{snapshot_id}, "/"});
}

CommandLine ResticCommands::dump_blocks(std::string_view snapshot_id) const {
  return command({std::string{kLockTimeout}, "dump", std::string{snapshot_id},
                  fmt::format("/{}", kBlocksFile)});
}

CommandLine ResticCommands::forget(const std::vector<std::string>& snapshot_ids) const {
  std::vector<std::string> arguments{std::string{kLockTimeout}, "forget", "--prune"};
  arguments.insert(arguments.end(), snapshot_ids.begin(), snapshot_ids.end());
  return command(std::move(arguments));
}

CommandLine ResticCommands::forget_only(std::string_view snapshot_id) const {
  return command({std::string{kLockTimeout}, "forget", std::string{snapshot_id}});
}

CommandLine ResticCommands::prune() const { return command({std::string{kLockTimeout}, "prune"}); }

}  // namespace lvmd::transfers::mover
