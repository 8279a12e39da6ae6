#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "lvmd/model/mount_rules.hpp"
#include "lvmd/probe/make_filesystem.hpp"
#include "lvmd/transfers/mover/file_node.hpp"
#include "lvmd/transfers/mover/restore_uuid.hpp"
#include "lvmd/transfers/mover/sandbox.hpp"
#include "lvmd/transfers/mover/task.hpp"
#include "lvmd/transfers/mover/volume_mount.hpp"

namespace lvmd::transfers::mover {
namespace {

std::unexpected<TransferFailure> volume_failed(const Task& task, const Error& error) {
  return failed(code::kVolumeMount, cause::kMoverFailed,
                fmt::format("volume {}: {}", task.volume.name, describe(error)));
}

StepResult<Snapshot> find_snapshot(const Task& task) {
  const auto missing = [&task](std::string_view what, std::string_view id) {
    return failed(
        code::kRestore, cause::kSnapshotNotFound,
        fmt::format("repository {} contains no snapshot with {} \"{}\": correct it, or back "
                    "up again",
                    task.job.repository().location(), what, id));
  };
  if (!task.job.backup_id().empty()) {
    auto snapshots = task.restic.snapshots_of(task.job.backup_id());
    if (!snapshots) return std::unexpected(snapshots.error());
    if (snapshots->empty()) return missing("backup_id", task.job.backup_id());
    return std::move(snapshots->front());
  }
  const auto text = task.restic.output_of(
      {.name = "cat snapshot", .command = task.restic.commands().snapshot(task.job.snapshot_id())});
  if (!text) return std::unexpected(text.error());
  auto snapshot = parse_snapshot(text->value_or(""));
  if (!snapshot) return missing("snapshot_id", task.job.snapshot_id());
  snapshot->id = task.job.snapshot_id();
  return *std::move(snapshot);
}

StepResult<void> check_size(const Task& task, const SnapshotTags& tags) {
  if (tags.size_bytes <= task.volume.size_bytes) return {};
  return failed(
      code::kRestore, cause::kNoSpace,
      fmt::format(
          "volume {} has {} bytes, but the volume in the backup had {}: restore onto a volume "
          "of at least that size",
          task.volume.name, task.volume.size_bytes, tags.size_bytes));
}

std::unexpected<TransferFailure> not_blank(const Task& task) {
  return failed(code::kRestore, cause::kNotBlank,
                fmt::format("volume {} is not blank: {}: restore onto a new volume",
                            task.volume.name, *task.contents.not_blank));
}

bool has_own_file_system(const Task& task) {
  return task.contents.uuid && task.contents.uuid == uuid_of_restore(task.job.id());
}

// Erases what an earlier attempt of this restore left [P-XFER-21]. The mark permits this, but the
// content must confirm it as far as possible: a file system must have the UUID of the restore, and
// an incomplete one has no signature. Restored blocks have the content of the backup, which
// confirms nothing.
StepResult<void> erase_earlier_attempt(const Task& task, v1::Mode mode) {
  const Contents& contents = task.contents;
  if (!contents.not_blank) return {};
  const bool own = mode == v1::MODE_BLOCKS || !contents.has_signature || has_own_file_system(task);
  if (contents.in_use || !own) return not_blank(task);
  if (auto erased = erase_own(std::string{kDevicePath}, contents.fs_type.value_or("")); !erased)
    return volume_failed(task, erased.error());
  return {};
}

StepResult<void> make_file_system(const Task& task, const std::string& type) {
  const std::string device{kDevicePath};
  const std::string uuid = uuid_of_restore(task.job.id());
  if (auto made = probe::make_filesystem(device, type, uuid); !made)
    return volume_failed(task, made.error());
  return {};
}

// A run of `restic restore`, which stores its summary in `summary`.
ResticCall restore_call(const Task& task, std::string_view name, CommandLine command,
                        std::optional<RestoreSummary>& summary) {
  const LineCutter lines{
      [&task, &summary](std::string_view line) -> std::optional<TransferFailure> {
        const OutputMessage message = parse_output(line);
        if (const auto* status = std::get_if<StatusMessage>(&message))
          return take_status(task, *status);
        if (const auto* end = std::get_if<RestoreSummary>(&message)) summary = *end;
        return std::nullopt;
      }};
  return {.name = name,
          .command = std::move(command),
          .silent = false,
          .with_capabilities = true,
          .on_output = lines};
}

std::unexpected<TransferFailure> no_summary(const Task& task, std::string_view name) {
  return failed(task.supervision().code(), cause::kMoverFailed,
                fmt::format("restic {} ended without a summary", name));
}

// A run of `restic ls`. Fails at the first file on the volume whose type, owner, mode, size or time
// differs from that in the snapshot.
ResticCall metadata_call(const Task& task, const std::string& snapshot_id) {
  const LineCutter lines{[&task](std::string_view line) -> std::optional<TransferFailure> {
    const auto node = parse_node(line);
    task.record().moved();
    if (!node || node->type == 0 || has_replaced_bytes(node->path)) return std::nullopt;
    struct stat found{};
    const bool there = ::lstat(node->path.c_str(), &found) == 0;
    const auto differs = there ? difference(*node, found)
                               : std::optional{errno_error(errno, "it cannot be found").message};
    if (!differs) return std::nullopt;
    task.transfer().mutable_verification()->set_result(v1::Verification::RESULT_DIFFERS);
    return failed(code::kVerification, cause::kMoverFailed,
                  fmt::format("{} on volume {} differs from the backup: {}",
                              Redactor{task.job.credentials()}(node->path), task.volume.name,
                              *differs))
        .error();
  }};
  return {
      .name = "ls", .command = task.restic.commands().list_files(snapshot_id), .on_output = lines};
}

StepResult<void> write_files(const Task& task, const Snapshot& snapshot, const std::string& type) {
  auto mounted = VolumeMount::make({.fs_type = type});
  if (!mounted) return volume_failed(task, mounted.error());
  task.record().step("copying");
  std::optional<RestoreSummary> summary;
  const auto restored = task.restic.run(
      restore_call(task, "restore", task.restic.commands().restore_files(snapshot.id), summary));
  if (!restored) return restored;
  if (!summary) return no_summary(task, "restore");
  if (auto flushed = mounted->flush(); !flushed) return volume_failed(task, flushed.error());
  if (auto unmounted = mounted->unmount(); !unmounted)
    return volume_failed(task, unmounted.error());
  // The verification must read from the volume, not from the page cache.
  if (auto dropped = drop_cache(std::string{kDevicePath}); !dropped)
    return volume_failed(task, dropped.error());
  return {};
}

StepResult<void> verify_files(const Task& task, const Snapshot& snapshot, const std::string& type) {
  task.supervision().set_code(code::kVerification);
  auto mounted = VolumeMount::make(read_only_spec(task.volume, type));
  if (!mounted) return volume_failed(task, mounted.error());
  task.record().step("verifying");
  task.record().reset_progress();
  // restic compares one file after another, and so leaves time of the disk and the processors.
  constexpr std::string_view kCompare = "restore --dry-run";
  std::optional<RestoreSummary> compared;
  std::vector<ResticCall> calls;
  calls.push_back(
      restore_call(task, kCompare, task.restic.commands().compare_files(snapshot.id), compared));
  calls.push_back(metadata_call(task, snapshot.id));
  if (auto ended = task.restic.run_together(std::move(calls)); !ended) return ended;
  if (!compared) return no_summary(task, kCompare);
  v1::Verification& verification = *task.transfer().mutable_verification();
  verification.set_checked_bytes(compared->skipped_bytes);
  verification.set_checked_files(compared->skipped_files);
  if (compared->restored_bytes != 0) {
    verification.set_result(v1::Verification::RESULT_DIFFERS);
    return failed(code::kVerification, cause::kMoverFailed,
                  fmt::format("{} bytes on volume {} differ from the repository: check the disks "
                              "below it",
                              compared->restored_bytes, task.volume.name));
  }
  if (auto unmounted = mounted->unmount(); !unmounted)
    return volume_failed(task, unmounted.error());
  verification.set_result(v1::Verification::RESULT_MATCHES);
  return {};
}

// The volume has no mark of this restore and is not blank, so nothing is written to it [P-XFER-22].
// If it contains the file system of this restore, a version of lvmd without marks restored it. That
// version left no sign of completion, so the content decides.
StepResult<void> recognise(const Task& task, const Snapshot& snapshot, const SnapshotTags& tags) {
  if (!task.contents.not_blank)
    return failed(code::kRestore, cause::kNotBlank,
                  fmt::format("volume {} was in use when this restore was started: start it again",
                              task.volume.name),
                  /*transient=*/true);
  if (tags.mode != v1::MODE_FILES || !has_own_file_system(task) ||
      task.contents.fs_type != tags.fs_type)
    return not_blank(task);
  auto same = verify_files(task, snapshot, tags.fs_type);
  if (same || same.error().cancelled) return same;
  const v1::TransferError& error = same.error().error;
  const bool differs = task.transfer().verification().result() == v1::Verification::RESULT_DIFFERS;
  if (!differs && error.code() != code::kVolumeMount) return same;
  task.transfer().clear_verification();
  return failed(
      code::kRestore, cause::kNotBlank,
      fmt::format(
          "volume {} has the file system of this restore, but no mark of the restore, and its "
          "content differs from the backup ({}): it has been used since, or an older lvmd left "
          "it unfinished. Nothing was written to it: restore onto a new volume",
          task.volume.name, error.message()));
}

}  // namespace

StepResult<void> restore(const Task& task) {
  const auto there = task.restic.open();
  if (!there) return std::unexpected(there.error());
  if (!*there)
    return failed(code::kRestore, cause::kRepositoryNotFound,
                  fmt::format("there is no repository at {}: correct repository.location",
                              task.job.repository().location()));
  if (auto removed = task.restic.remove_dead_locks(); !removed) return removed;
  const auto snapshot = find_snapshot(task);
  if (!snapshot) return std::unexpected(snapshot.error());
  const SnapshotTags tags = parse_tags(snapshot->tags);
  const bool known_type =
      std::ranges::find(model::kFileSystems, tags.fs_type) != model::kFileSystems.end();
  if (tags.mode == v1::MODE_AUTO || (tags.mode == v1::MODE_FILES && !known_type))
    return failed(code::kRestore, cause::kSnapshotNotFound,
                  fmt::format("snapshot {} in repository {} is not a backup of lvmd", snapshot->id,
                              task.job.repository().location()));
  task.transfer().set_snapshot_id(snapshot->id);
  task.transfer().set_mode(tags.mode);
  task.transfer().set_fs_type(tags.fs_type);
  if (auto fits = check_size(task, tags); !fits) return fits;
  if (task.job.mark() != internal::RESTORE_MARK_BEGUN) return recognise(task, *snapshot, tags);
  if (auto erased = erase_earlier_attempt(task, tags.mode); !erased) return erased;
  if (tags.mode == v1::MODE_BLOCKS) return restore_blocks(task, snapshot->id);
  task.record().step("mounting");
  if (auto made = make_file_system(task, tags.fs_type); !made) return made;
  if (auto written = write_files(task, *snapshot, tags.fs_type); !written) return written;
  return verify_files(task, *snapshot, tags.fs_type);
}

}  // namespace lvmd::transfers::mover
