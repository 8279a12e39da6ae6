#include "lvmd/transfers/mover/program.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <utility>

#include "lvmd/base/process.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::transfers::mover {
namespace {

using Clock = Supervision::Clock;

constexpr int kPollMilliseconds = 500;
// Leaves 2 of the 10 s of [P-XFER-15] for the rest of the work.
constexpr std::chrono::seconds kTerminationGrace{8};
// A longer line of standard error is passed in pieces.
constexpr std::size_t kMaxLine = std::size_t{64} << 10U;

// The number of bytes that a process has read, from any file; 0 when it is unknown.
std::uint64_t bytes_read(pid_t pid) {
  std::ifstream file{fmt::format("/proc/{}/io", pid)};
  std::string field;
  std::uint64_t bytes = 0;
  return file >> field >> bytes && field == "rchar:" ? bytes : 0;
}

class Run {
 public:
  Run(const Program& program, Supervision& supervision, Process process)
      : program_(program), supervision_(supervision), process_(std::move(process)) {}

  StepResult<int> to_the_end() {
    bool running = true;
    while (running || process_.output || process_.errors) {
      if (!failure_) check();
      if (failure_ && Clock::now() >= kill_at_) process_.kill(SIGKILL);
      if (!wait(running)) break;
    }
    const auto status = process_.wait();
    if (failure_) return std::unexpected(*std::move(failure_));
    if (!status) return failed(supervision_.code(), cause::kMoverFailed, status.error().message);
    return status->signal != 0 ? -status->signal : status->code;
  }

 private:
  // Waits for events of the program and handles them. False if poll(2) fails.
  bool wait(bool& running) {
    // poll() ignores negative descriptors.
    std::array<pollfd, 5> fds{{{process_.output.get(), POLLIN, 0},
                               {process_.errors.get(), POLLIN, 0},
                               {running ? process_.pidfd() : -1, POLLIN, 0},
                               {has_input() ? process_.input.get() : -1, POLLOUT, 0},
                               {failure_ ? -1 : supervision_.signal_fd(), POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), kPollMilliseconds) < 0 && errno != EINTR) return false;
    if (fds[0].revents != 0) take_output();
    if (fds[1].revents != 0) take_errors();
    if (fds[3].revents != 0) write_input();
    if (fds[2].revents != 0) {
      running = false;
      // The program no longer reads its input.
      process_.input.reset();
    }
    return true;
  }

  void stop(std::optional<TransferFailure> why) {
    if (!why || failure_) return;
    failure_ = std::move(why);
    kill_at_ = Clock::now() + kTerminationGrace;
    // Standard input stays open: restic would treat its end as the end of the data and store a
    // snapshot.
    process_.kill(SIGINT);
  }

  void check() {
    if (program_.silent)
      if (const std::uint64_t read = bytes_read(process_.pid()); read != bytes_read_) {
        bytes_read_ = read;
        supervision_.record().moved();
      }
    stop(supervision_.check());
  }

  // Returns an empty view at the end of the pipe and closes it.
  std::string_view read_some(UniqueFd& fd) {
    const ssize_t count = ::read(fd.get(), buffer_.data(), buffer_.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return {};
    if (count <= 0) {
      fd.reset();
      return {};
    }
    return {buffer_.data(), static_cast<std::size_t>(count)};
  }

  void take_output() {
    const std::string_view bytes = read_some(process_.output);
    if (!bytes.empty() && !failure_ && program_.on_output) stop(program_.on_output(bytes));
  }

  void take_errors() {
    error_line_ += read_some(process_.errors);
    for (;;) {
      const std::size_t end = error_line_.find('\n');
      const bool last = end == std::string::npos;
      if (last && process_.errors && error_line_.size() < kMaxLine) return;
      const std::string line = error_line_.substr(0, end);
      error_line_.erase(0, last ? error_line_.size() : end + 1);
      if (!line.empty() && program_.on_error_line && !failure_) stop(program_.on_error_line(line));
      if (last) return;
    }
  }

  bool has_input() const { return process_.input && !failure_; }

  void write_input() {
    if (!has_input()) return;
    if (input_.empty()) {
      auto next = program_.input();
      if (!next) return stop(std::move(next.error()));
      if (next->empty()) return process_.input.reset();
      input_ = *std::move(next);
    }
    const ssize_t count =
        ::write(process_.input.get(), input_.data() + written_, input_.size() - written_);
    // EPIPE: the program ended or stopped reading; its exit code is more specific.
    if (count < 0 && errno != EINTR && errno != EAGAIN) return process_.input.reset();
    if (count > 0) written_ += static_cast<std::size_t>(count);
    if (written_ == input_.size()) {
      input_.clear();
      written_ = 0;
    }
  }

  const Program& program_;
  Supervision& supervision_;
  Process process_;
  std::optional<TransferFailure> failure_;
  Clock::time_point kill_at_{};
  std::uint64_t bytes_read_ = 0;
  std::string error_line_;
  std::string input_;
  std::size_t written_ = 0;
  std::array<char, 65536> buffer_{};
};

}  // namespace

StepResult<int> run(const Program& program, Supervision& supervision) {
  supervision.record().moved();
  const Capabilities capabilities = program.capabilities;
  auto process =
      Process::start({.arguments = program.command.arguments,
                      .environment = program.command.environment,
                      .input = program.input ? ProcessSpec::kPipe : ProcessSpec::kNull,
                      .output = ProcessSpec::kPipe,
                      .errors = ProcessSpec::kPipe,
                      .inherited = program.inherited,
                      .group = ProcessSpec::Group::kOwn,
                      .killed_with_caller = true,
                      .before_exec = [capabilities] { return keep_only(capabilities); }});
  if (!process) return failed(supervision.code(), cause::kMoverFailed, process.error().message);
  return Run{program, supervision, std::move(*process)}.to_the_end();
}

}  // namespace lvmd::transfers::mover
