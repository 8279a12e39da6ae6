#include "lvmd/transfers/mover/supervision.hpp"

#include <fmt/format.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <utility>

#include "lvmd/base/this_process.hpp"

namespace lvmd::transfers::mover {

Supervision::Supervision(UniqueFd signals, RecordWriter& record, const internal::MoverJob& job)
    : signals_(std::move(signals)),
      record_(&record),
      code_(code::kBackup),
      deadline_seconds_(job.deadline_seconds()),
      stall_after_(job.settings().stall_seconds()) {
  if (deadline_seconds_ != 0) deadline_ = Clock::now() + std::chrono::seconds{deadline_seconds_};
  if (job.operation() == v1::OPERATION_RESTORE) code_ = code::kRestore;
  if (job.operation() == v1::OPERATION_DELETE) code_ = code::kDelete;
  if (job.operation() == v1::OPERATION_CHECK) code_ = code::kCheck;
}

Result<Supervision> Supervision::begin(const internal::MoverJob& job, RecordWriter& record) {
  auto signals = watch_signals({SIGTERM, SIGINT});
  if (!signals) return std::unexpected(signals.error());
  // Without this, writing to a program that has ended would kill the mover.
  static_cast<void>(::signal(SIGPIPE, SIG_IGN));
  return Supervision{std::move(*signals), record, job};
}

std::optional<TransferFailure> Supervision::check() {
  signalfd_siginfo info{};
  while (::read(signals_.get(), &info, sizeof info) == sizeof info) cancelled_ = true;
  record_->tick();
  if (cancelled_) return TransferFailure{.cancelled = true, .error = {}};
  const auto now = Clock::now();
  if (deadline_ && now >= *deadline_)
    return TransferFailure{
        .error = transfer_error(
            code_, cause::kDeadlineExceeded,
            fmt::format("the transfer exceeded deadline_seconds ({}): set a longer deadline",
                        deadline_seconds_))};
  if (now - record_->last_movement() >= stall_after_)
    return TransferFailure{
        .error = transfer_error(
            code_, cause::kStalled,
            fmt::format("no progress for {} s: check whether the repository and the volume "
                        "respond",
                        stall_after_.count()),
            /*transient=*/true)};
  return std::nullopt;
}

}  // namespace lvmd::transfers::mover
