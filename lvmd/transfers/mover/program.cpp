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
#include <utility>

#include "lvmd/transfers/mover/child.hpp"

namespace lvmd::transfers::mover {
namespace {

using Clock = Supervision::Clock;

constexpr int kPollMilliseconds = 500;
// Leaves 2 of the 10 s of [P-XFER-15] for the rest of the work.
constexpr std::chrono::seconds kTerminationGrace{8};
// A longer line of standard error is passed in pieces.
constexpr std::size_t kMaxLine = std::size_t{64} << 10U;

class Run {
 public:
  Run(const Program& program, Supervision& supervision, Child child)
      : program_(program), supervision_(supervision), child_(std::move(child)) {}

  StepResult<int> to_the_end() {
    bool running = true;
    while (running || child_.output || child_.errors) {
      if (!failure_) check();
      if (failure_ && Clock::now() >= kill_at_) child_.kill(SIGKILL);
      // poll() ignores negative descriptors.
      std::array<pollfd, 5> fds{{{child_.output.get(), POLLIN, 0},
                                 {child_.errors.get(), POLLIN, 0},
                                 {running ? child_.ended() : -1, POLLIN, 0},
                                 {has_input() ? child_.input.get() : -1, POLLOUT, 0},
                                 {failure_ ? -1 : supervision_.signal_fd(), POLLIN, 0}}};
      if (::poll(fds.data(), fds.size(), kPollMilliseconds) < 0 && errno != EINTR) break;
      if (fds[0].revents != 0) take_output();
      if (fds[1].revents != 0) take_errors();
      if (fds[3].revents != 0) write_input();
      if (fds[2].revents != 0) {
        running = false;
        // The program no longer reads its input.
        child_.input.reset();
      }
    }
    const int code = child_.wait();
    if (failure_) return std::unexpected(*std::move(failure_));
    return code;
  }

 private:
  void stop(std::optional<TransferFailure> why) {
    if (!why || failure_) return;
    failure_ = std::move(why);
    kill_at_ = Clock::now() + kTerminationGrace;
    // Standard input stays open: restic would treat its end as the end of the data and store a
    // snapshot.
    child_.kill(SIGINT);
  }

  void check() {
    if (program_.silent)
      if (const std::uint64_t read = child_.bytes_read(); read != bytes_read_) {
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
    const std::string_view bytes = read_some(child_.output);
    if (!bytes.empty() && !failure_ && program_.on_output) stop(program_.on_output(bytes));
  }

  void take_errors() {
    error_line_ += read_some(child_.errors);
    for (;;) {
      const std::size_t end = error_line_.find('\n');
      const bool last = end == std::string::npos;
      if (last && child_.errors && error_line_.size() < kMaxLine) return;
      const std::string line = error_line_.substr(0, end);
      error_line_.erase(0, last ? error_line_.size() : end + 1);
      if (!line.empty() && program_.on_error_line && !failure_) stop(program_.on_error_line(line));
      if (last) return;
    }
  }

  bool has_input() const { return child_.input && !failure_; }

  void write_input() {
    if (!has_input()) return;
    if (input_.empty()) {
      auto next = program_.input();
      if (!next) return stop(std::move(next.error()));
      if (next->empty()) return child_.input.reset();
      input_ = *std::move(next);
    }
    const ssize_t count =
        ::write(child_.input.get(), input_.data() + written_, input_.size() - written_);
    // EPIPE: the program ended or stopped reading; its exit code is more specific.
    if (count < 0 && errno != EINTR && errno != EAGAIN) return child_.input.reset();
    if (count > 0) written_ += static_cast<std::size_t>(count);
    if (written_ == input_.size()) {
      input_.clear();
      written_ = 0;
    }
  }

  const Program& program_;
  Supervision& supervision_;
  Child child_;
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
  auto child = Child::start(program.command, program.capabilities, program.inherited,
                            program.input != nullptr);
  if (!child)
    return failed(
        supervision.code(), cause::kMoverFailed,
        fmt::format("cannot run {}: {}", program.command.arguments.front(), child.error().message));
  return Run{program, supervision, std::move(*child)}.to_the_end();
}

}  // namespace lvmd::transfers::mover
