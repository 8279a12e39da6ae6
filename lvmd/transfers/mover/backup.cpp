#include <fmt/format.h>

#include <utility>
#include <variant>

#include "lvmd/transfers/mover/block_stream.hpp"
#include "lvmd/transfers/mover/task.hpp"
#include "lvmd/transfers/mover/volume_mount.hpp"

namespace lvmd::transfers::mover {
namespace {

// restic's exit code when it made a snapshot without some files that it could not read.
constexpr int kIncomplete = 3;

// Discards the content of a stream.
class NoTarget : public BlockTarget {
 public:
  [[nodiscard]] Status begin(std::uint64_t /*size*/) override { return {}; }
  [[nodiscard]] Status write(std::uint64_t /*offset*/, std::string_view /*bytes*/) override {
    return {};
  }
};

TransferFailure unreadable(const Task& task, std::string_view what) {
  return {.error =
              transfer_error(code::kBackup, cause::kMoverFailed,
                             fmt::format("cannot read all of volume {}: {}: check its file system",
                                         task.volume.name, what))};
}

StepResult<Snapshot> store_files(const Task& task, const SnapshotTags& tags) {
  auto mounted = VolumeMount::make(read_only_spec(task.volume, tags.fs_type));
  if (!mounted)
    return failed(code::kVolumeMount, cause::kMoverFailed,
                  fmt::format("volume {}: {}", task.volume.name, mounted.error().message));
  task.record().step("copying");
  BackupSummary summary;
  const LineCutter lines{[&](std::string_view line) -> std::optional<TransferFailure> {
    const OutputMessage message = parse_output(line);
    if (const auto* status = std::get_if<StatusMessage>(&message))
      return take_status(task, *status);
    if (const auto* end = std::get_if<BackupSummary>(&message)) summary = *end;
    return std::nullopt;
  }};
  // Stops restic before it makes an incomplete snapshot.
  const auto on_error = [&task](const ErrorLine& error) -> std::optional<TransferFailure> {
    if (!error.about_file) return std::nullopt;
    return unreadable(task, error.text);
  };
  const auto ended = task.restic.call({.name = "backup",
                                       .command = task.restic.commands().back_up_files(tags),
                                       .silent = false,
                                       .with_capabilities = true,
                                       .expected = {0, kIncomplete},
                                       .on_output = lines,
                                       .on_error = on_error});
  if (ended && *ended == kIncomplete && !summary.snapshot_id.empty()) {
    const auto forgotten = task.restic.run(
        {.name = "forget", .command = task.restic.commands().forget_only(summary.snapshot_id)});
    if (!forgotten) return std::unexpected(forgotten.error());
  }
  if (!ended) return std::unexpected(ended.error());
  if (*ended == kIncomplete) return std::unexpected(unreadable(task, "some of its files"));
  if (summary.snapshot_id.empty())
    return failed(code::kBackup, cause::kMoverFailed, "restic ended without making a snapshot");
  if (auto unmounted = mounted->unmount(); !unmounted)
    return failed(code::kVolumeMount, cause::kMoverFailed, unmounted.error().message);
  v1::Progress& progress = *task.transfer().mutable_progress();
  progress.set_total_bytes(summary.bytes);
  progress.set_done_bytes(summary.bytes);
  progress.set_total_files(summary.files);
  progress.set_done_files(summary.files);
  return Snapshot{.id = summary.snapshot_id, .time = {}, .tags = to_tags(tags)};
}

StepResult<Snapshot> store(const Task& task) {
  const bool has_files = task.contents.fs_type.has_value();
  if (task.job.mode() == v1::MODE_FILES && !has_files)
    return failed(
        code::kVolumeMount, cause::kMoverFailed,
        fmt::format("volume {} has no file system that lvmd can mount (ext4, xfs, btrfs): "
                    "back it up in mode BLOCKS",
                    task.volume.name));
  const bool files = has_files && task.job.mode() != v1::MODE_BLOCKS;
  const SnapshotTags tags{.backup_id = task.job.id(),
                          .mode = files ? v1::MODE_FILES : v1::MODE_BLOCKS,
                          .fs_type = files ? *task.contents.fs_type : std::string{},
                          .size_bytes = task.volume.size_bytes};
  return files ? store_files(task, tags) : store_blocks(task, tags);
}

}  // namespace

std::optional<TransferFailure> take_status(const Task& task, const StatusMessage& status) {
  v1::Progress& progress = *task.transfer().mutable_progress();
  progress.set_total_bytes(status.total_bytes);
  progress.set_done_bytes(status.done_bytes);
  progress.set_total_files(status.total_files);
  progress.set_done_files(status.done_files);
  return std::nullopt;
}

StepResult<void> back_up(const Task& task) {
  const auto there = task.restic.open();
  if (!there) return std::unexpected(there.error());
  if (!*there)
    if (auto made = task.restic.make(); !made) return made;
  if (auto removed = task.restic.remove_dead_locks(); !removed) return removed;
  const auto known = task.restic.snapshots_of(task.job.id());
  if (!known) return std::unexpected(known.error());
  const auto stored = known->empty() ? store(task) : StepResult<Snapshot>{known->front()};
  if (!stored) return std::unexpected(stored.error());

  const SnapshotTags tags = parse_tags(stored->tags);
  task.transfer().set_snapshot_id(stored->id);
  task.transfer().set_mode(tags.mode);
  task.transfer().set_fs_type(tags.fs_type);
  return task.job.verify() ? verify_stored(task, *stored) : StepResult<void>{};
}

StepResult<void> verify_stored(const Task& task, const Snapshot& snapshot) {
  task.supervision().set_code(code::kVerification);
  task.record().step("verifying");
  const std::uint64_t total = task.transfer().progress().total_bytes();
  const std::uint64_t files = task.transfer().progress().total_files();
  task.record().reset_progress();
  task.transfer().mutable_progress()->set_total_bytes(total);
  const bool blocks = parse_tags(snapshot.tags).mode == v1::MODE_BLOCKS;
  NoTarget nowhere;
  BlockStreamReader stream{nowhere};
  v1::Verification& verification = *task.transfer().mutable_verification();
  const auto differs = [&](std::string message) {
    verification.set_result(v1::Verification::RESULT_DIFFERS);
    return failed(code::kVerification, cause::kDamaged, std::move(message)).error();
  };
  const auto on_output = [&](std::string_view bytes) -> std::optional<TransferFailure> {
    verification.set_checked_bytes(verification.checked_bytes() + bytes.size());
    task.transfer().mutable_progress()->set_done_bytes(verification.checked_bytes());
    if (!blocks) return std::nullopt;
    if (auto taken = stream.add(bytes); !taken) return differs(taken.error().message);
    return std::nullopt;
  };
  const ResticCommands& commands = task.restic.commands();
  const auto ended = task.restic.call(
      {.name = "dump",
       .command = blocks ? commands.dump_blocks(snapshot.id) : commands.dump_files(snapshot.id),
       .silent = false,
       .on_output = on_output});
  if (!ended) {
    if (ended.error().error.reason() == cause::kDamaged)
      verification.set_result(v1::Verification::RESULT_DIFFERS);
    return std::unexpected(ended.error());
  }
  if (blocks)
    if (auto whole = stream.finish(); !whole)
      return std::unexpected(differs(whole.error().message));
  verification.set_result(v1::Verification::RESULT_MATCHES);
  verification.set_checked_files(blocks ? 1 : files);
  return {};
}

}  // namespace lvmd::transfers::mover
