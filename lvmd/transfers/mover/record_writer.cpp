#include "lvmd/transfers/mover/record_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <thread>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/transfers/record/record_files.hpp"

namespace lvmd::transfers::mover {
namespace {

constexpr std::chrono::seconds kWriteInterval{1};
// A process that settles or removes an old record of this name holds the lock for a moment.
constexpr int kLockAttempts = 10;
constexpr std::chrono::milliseconds kLockInterval{50};

Result<transfers::RecordLock> take_lock(const internal::MoverJob& job) {
  for (int attempt = 1;; ++attempt) {
    auto lock = transfers::RecordLock::take(job.settings().record_directory(),
                                            {.operation = job.operation(), .id = job.id()});
    if (lock || lock.error().code != Code::kFailedPrecondition || attempt == kLockAttempts)
      return lock;
    std::this_thread::sleep_for(kLockInterval);
  }
}

}  // namespace

RecordWriter::RecordWriter(UniqueFd directory, transfers::RecordLock lock,
                           internal::TransferRecord record)
    : directory_(std::move(directory)), lock_(std::move(lock)), record_(std::move(record)) {}

Result<RecordWriter> RecordWriter::begin(const internal::MoverJob& job) {
  const std::string& path = job.settings().record_directory();
  UniqueFd directory{::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  if (!directory) return fail_errno(errno, path);
  auto lock = take_lock(job);
  if (!lock) return std::unexpected(lock.error());
  internal::TransferRecord record = transfers::new_record(job, std::chrono::system_clock::now());
  record.set_pid(static_cast<std::uint32_t>(::getpid()));
  record.mutable_transfer()->set_phase(v1::PHASE_RUNNING);
  RecordWriter writer{std::move(directory), std::move(*lock), std::move(record)};
  if (auto written = writer.write(); !written) return std::unexpected(written.error());
  return writer;
}

// An open directory has this path in every mount namespace that has /proc.
std::string RecordWriter::directory() const {
  return fmt::format("/proc/self/fd/{}", directory_.get());
}

Status RecordWriter::write() {
  last_write_ = Clock::now();
  auto done = transfers::write_record(directory(), record_);
  if (done) written_ = record_.SerializeAsString();
  return done;
}

void RecordWriter::step(std::string_view name) {
  transfer().set_step(std::string{name});
  moved();
  if (auto written = write(); !written) log::warning(written.error().message);
}

void RecordWriter::reset_progress() {
  transfer().clear_progress();
  moved();
}

void RecordWriter::tick() {
  if (std::string counters = transfer().progress().SerializeAsString(); counters != counters_) {
    counters_ = std::move(counters);
    moved();
  }
  if (Clock::now() - last_write_ < kWriteInterval || record_.SerializeAsString() == written_)
    return;
  if (auto written = write(); !written) log::warning(written.error().message);
}

Status RecordWriter::succeed() {
  transfer().set_phase(v1::PHASE_SUCCEEDED);
  transfer().clear_step();
  *transfer().mutable_completion_time() = transfers::to_timestamp(std::chrono::system_clock::now());
  return write();
}

Status RecordWriter::end(const TransferFailure& failure) {
  transfer().set_phase(failure.cancelled ? v1::PHASE_CANCELLED : v1::PHASE_FAILED);
  if (!failure.cancelled) *transfer().mutable_error() = failure.error;
  *transfer().mutable_completion_time() = transfers::to_timestamp(std::chrono::system_clock::now());
  return write();
}

}  // namespace lvmd::transfers::mover
