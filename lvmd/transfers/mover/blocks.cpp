#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "lvmd/base/files.hpp"
#include "lvmd/transfers/mover/block_device.hpp"
#include "lvmd/transfers/mover/block_stream.hpp"
#include "lvmd/transfers/mover/sandbox.hpp"
#include "lvmd/transfers/mover/task.hpp"
#include "lvmd/transfers/mover/volume_mount.hpp"

namespace lvmd::transfers::mover {
namespace {

// Produces the stream of the volume's device in pieces.
class BlockSource {
 public:
  BlockSource(const Task& task, std::uint64_t size)
      : task_(task),
        path_(kDevicePath),
        fd_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC)),
        size_(size),
        writer_(size) {}

  // Returns the next piece; empty at the end.
  StepResult<std::string> next() {
    if (!fd_) return unreadable(errno_error(errno, path_));
    if (!begun_) {
      begun_ = true;
      return writer_.header();
    }
    while (offset_ < size_) {
      if (auto failure = task_.supervision().check()) return std::unexpected(*std::move(failure));
      const auto count =
          static_cast<std::size_t>(std::min<std::uint64_t>(size_ - offset_, kMaxRun));
      const auto bytes = read_at(fd_.get(), offset_, count, fmt::format("read {}", path_));
      if (!bytes) return unreadable(bytes.error());
      if (bytes->size() != count)
        return unreadable(
            make_error(Code::kInternal, "{} is shorter than its reported size", path_));
      offset_ += count;
      task_.transfer().mutable_progress()->set_done_bytes(offset_);
      if (std::string runs = writer_.runs(*bytes); !runs.empty()) return runs;
    }
    if (ended_) return std::string{};
    ended_ = true;
    return writer_.trailer();
  }

  [[nodiscard]] const std::string& hash() const { return writer_.hash(); }

 private:
  [[nodiscard]] std::unexpected<TransferFailure> unreadable(const Error& error) const {
    return failed(task_.supervision().code(), cause::kMoverFailed,
                  fmt::format("volume {}: {}", task_.volume.name, error.message));
  }

  const Task& task_;
  std::string path_;
  UniqueFd fd_;
  std::uint64_t size_;
  BlockStreamWriter writer_;
  std::uint64_t offset_ = 0;
  bool begun_ = false;
  bool ended_ = false;
};

// Reads the written data back from the device and compares the hash of its stream.
StepResult<void> verify_blocks(const Task& task, const BlockStreamReader& stream) {
  task.supervision().set_code(code::kVerification);
  task.record().step("verifying");
  task.record().reset_progress();
  task.transfer().mutable_progress()->set_total_bytes(stream.device_size());
  BlockSource source{task, stream.device_size()};
  for (;;) {
    const auto bytes = source.next();
    if (!bytes) return std::unexpected(bytes.error());
    if (bytes->empty()) break;
  }
  v1::Verification& verification = *task.transfer().mutable_verification();
  verification.set_checked_bytes(stream.device_size());
  verification.set_result(source.hash() == stream.hash() ? v1::Verification::RESULT_MATCHES
                                                         : v1::Verification::RESULT_DIFFERS);
  if (source.hash() == stream.hash()) return {};
  return failed(
      code::kVerification, cause::kMoverFailed,
      fmt::format(
          "the data read back from volume {} differs from the data written: check the disks "
          "below it",
          task.volume.name));
}

}  // namespace

StepResult<Snapshot> store_blocks(const Task& task, const SnapshotTags& tags) {
  task.record().step("copying");
  task.transfer().mutable_progress()->set_total_bytes(task.volume.size_bytes);
  BlockSource source{task, task.volume.size_bytes};
  std::string snapshot_id;
  const LineCutter lines{[&snapshot_id](std::string_view line) -> std::optional<TransferFailure> {
    const OutputMessage message = parse_output(line);
    if (const auto* end = std::get_if<BackupSummary>(&message)) snapshot_id = end->snapshot_id;
    return std::nullopt;
  }};
  const auto ended = task.restic.call({.name = "backup",
                                       .command = task.restic.commands().back_up_blocks(tags),
                                       .silent = false,
                                       .on_output = lines,
                                       .input = [&source] { return source.next(); }});
  if (!ended) return std::unexpected(ended.error());
  if (snapshot_id.empty())
    return failed(code::kBackup, cause::kMoverFailed, "restic ended without making a snapshot");
  return Snapshot{.id = snapshot_id, .time = {}, .tags = to_tags(tags)};
}

StepResult<void> restore_blocks(const Task& task, const std::string& snapshot_id) {
  const auto failure = [&task](const Error& error) {
    const bool damaged = error.code == Code::kOutOfRange;
    return failed(code::kRestore, damaged ? cause::kDamaged : cause::kMoverFailed,
                  fmt::format("volume {}: {}", task.volume.name, error.message))
        .error();
  };
  task.record().step("copying");
  std::optional<TransferFailure> stopped;
  const auto on_progress = [&](std::uint64_t offset) -> Status {
    task.transfer().mutable_progress()->set_done_bytes(offset);
    stopped = task.supervision().check();
    if (stopped) return fail(Code::kCancelled, "stopped");
    return {};
  };
  auto device = BlockDevice::open(std::string{kDevicePath}, on_progress);
  if (!device) return std::unexpected(failure(device.error()));
  BlockStreamReader stream{**device};
  const auto on_output = [&](std::string_view bytes) -> std::optional<TransferFailure> {
    const auto taken = stream.add(bytes);
    task.transfer().mutable_progress()->set_total_bytes(stream.device_size());
    if (stopped) return stopped;
    if (!taken) return failure(taken.error());
    return std::nullopt;
  };
  const auto ended = task.restic.call({.name = "dump",
                                       .command = task.restic.commands().dump_blocks(snapshot_id),
                                       .silent = false,
                                       .on_output = on_output});
  if (!ended) return std::unexpected(ended.error());
  if (auto whole = stream.finish(); !whole) return std::unexpected(failure(whole.error()));
  const auto written = (*device)->finish();
  if (stopped) return std::unexpected(*std::move(stopped));
  if (!written) return std::unexpected(failure(written.error()));
  device->reset();
  if (auto dropped = drop_cache(std::string{kDevicePath}); !dropped)
    return std::unexpected(failure(dropped.error()));
  return verify_blocks(task, stream);
}

}  // namespace lvmd::transfers::mover
