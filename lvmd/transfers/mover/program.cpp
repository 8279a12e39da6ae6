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
#include <list>
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

// One program, from its start until it has ended and its output has been read.
class Running {
 public:
  using Stop = std::optional<TransferFailure>;
  using Polled = std::array<pollfd, 4>;

  Running(const Program& program, Process process)
      : program_(program), process_(std::move(process)) {}

  [[nodiscard]] bool is_done() const { return !running_ && !process_.output && !process_.errors; }
  void kill(int signal) {
    if (running_) process_.kill(signal);
  }

  // True if a silent program has read something since the last call.
  bool has_moved() {
    if (!program_.silent || !running_) return false;
    const std::uint64_t read = bytes_read(process_.pid());
    return std::exchange(bytes_read_, read) != read;
  }

  // poll() ignores negative descriptors. A program that is being stopped gets no more input, but
  // its standard input stays open: restic would treat its end as the end of the data and store a
  // snapshot.
  [[nodiscard]] Polled polled(bool stopping) const {
    return {{{process_.output.get(), POLLIN, 0},
             {process_.errors.get(), POLLIN, 0},
             {running_ ? process_.pidfd() : -1, POLLIN, 0},
             {stopping ? -1 : process_.input.get(), POLLOUT, 0}}};
  }

  // Handles what poll() has reported. A program that is being stopped is only waited for.
  [[nodiscard]] Stop handle(std::span<const pollfd> polled, bool stopping) {
    Stop stop;
    if (polled[0].revents != 0) stop = take_output(stopping);
    if (polled[1].revents != 0 && !stop) stop = take_errors(stopping);
    if (polled[3].revents != 0 && !stop) stop = write_input();
    if (polled[2].revents != 0) {
      running_ = false;
      // The program no longer reads its input.
      process_.input.reset();
    }
    return stop;
  }

  // Call it once, when the program is done.
  [[nodiscard]] Stop end(std::string_view step, bool stopping) {
    const auto status = process_.wait();
    if (!status) return failed(step, cause::kMoverFailed, status.error().message).error();
    if (stopping || !program_.on_exit) return std::nullopt;
    return program_.on_exit(status->signal != 0 ? -status->signal : status->code);
  }

 private:
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

  Stop take_output(bool stopping) {
    const std::string_view bytes = read_some(process_.output);
    if (bytes.empty() || stopping || !program_.on_output) return std::nullopt;
    return program_.on_output(bytes);
  }

  Stop take_errors(bool stopping) {
    error_line_ += read_some(process_.errors);
    for (;;) {
      const std::size_t end = error_line_.find('\n');
      const bool last = end == std::string::npos;
      if (last && process_.errors && error_line_.size() < kMaxLine) return std::nullopt;
      const std::string line = error_line_.substr(0, end);
      error_line_.erase(0, last ? error_line_.size() : end + 1);
      if (!line.empty() && program_.on_error_line && !stopping)
        if (auto stop = program_.on_error_line(line)) return stop;
      if (last) return std::nullopt;
    }
  }

  Stop write_input() {
    if (input_.empty()) {
      auto next = program_.input();
      if (!next) return std::move(next.error());
      if (next->empty()) {
        process_.input.reset();
        return std::nullopt;
      }
      input_ = *std::move(next);
    }
    const ssize_t count =
        ::write(process_.input.get(), input_.data() + written_, input_.size() - written_);
    if (count > 0) written_ += static_cast<std::size_t>(count);
    // EPIPE: the program ended or stopped reading; its exit code is more specific.
    if (count < 0 && errno != EINTR && errno != EAGAIN) process_.input.reset();
    if (written_ == input_.size()) {
      input_.clear();
      written_ = 0;
    }
    return std::nullopt;
  }

  const Program& program_;
  Process process_;
  bool running_ = true;
  std::uint64_t bytes_read_ = 0;
  std::string error_line_;
  std::string input_;
  std::size_t written_ = 0;
  std::array<char, 65536> buffer_{};
};

class Run {
 public:
  explicit Run(Supervision& supervision) : supervision_(supervision) {}

  void start(const Program& program) {
    if (failure_) return;
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
    if (process)
      programs_.emplace_back(program, std::move(*process));
    else
      stop(failed(supervision_.code(), cause::kMoverFailed, process.error().message).error());
  }

  StepResult<void> to_the_end() {
    while (!programs_.empty()) {
      if (!failure_) check();
      if (failure_ && Clock::now() >= kill_at_) signal_all(SIGKILL);
      if (!wait()) {
        stop(failed(supervision_.code(), cause::kMoverFailed, "poll(2) failed").error());
        signal_all(SIGKILL);
        break;
      }
      end_those([](const Running& program) { return program.is_done(); });
    }
    end_those([](const Running&) { return true; });
    if (failure_) return std::unexpected(*std::move(failure_));
    return {};
  }

 private:
  // Waits for events of the programs and handles them. False if poll(2) fails.
  bool wait() {
    std::vector<pollfd> fds{{failure_ ? -1 : supervision_.signal_fd(), POLLIN, 0}};
    for (const Running& program : programs_) {
      const auto polled = program.polled(failure_.has_value());
      fds.insert(fds.end(), polled.begin(), polled.end());
    }
    if (::poll(fds.data(), fds.size(), kPollMilliseconds) < 0) return errno == EINTR;
    std::span<const pollfd> left{fds.begin() + 1, fds.end()};
    for (Running& program : programs_) {
      stop(program.handle(left, failure_.has_value()));
      left = left.subspan(Running::Polled{}.size());
    }
    return true;
  }

  void end_those(const std::function<bool(const Running&)>& which) {
    for (auto program = programs_.begin(); program != programs_.end();) {
      if (!which(*program)) {
        ++program;
        continue;
      }
      stop(program->end(supervision_.code(), failure_.has_value()));
      program = programs_.erase(program);
    }
  }

  void check() {
    for (Running& program : programs_)
      if (program.has_moved()) supervision_.record().moved();
    stop(supervision_.check());
  }

  void stop(std::optional<TransferFailure> why) {
    if (!why || failure_) return;
    failure_ = std::move(why);
    kill_at_ = Clock::now() + kTerminationGrace;
    signal_all(SIGINT);
  }

  void signal_all(int signal) {
    for (Running& program : programs_) program.kill(signal);
  }

  Supervision& supervision_;
  // Not moved while they run.
  std::list<Running> programs_;
  std::optional<TransferFailure> failure_;
  Clock::time_point kill_at_{};
};

}  // namespace

StepResult<void> run(std::span<const Program> programs, Supervision& supervision) {
  supervision.record().moved();
  Run run{supervision};
  for (const Program& program : programs) run.start(program);
  return run.to_the_end();
}

}  // namespace lvmd::transfers::mover
