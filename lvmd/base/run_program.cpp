#include "lvmd/base/run_program.hpp"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <utility>
#include <vector>

#include "lvmd/base/spawn.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd {
namespace {

using Clock = std::chrono::steady_clock;

// More than any real report: 10,000 volumes make some 20 MB.
constexpr std::size_t kMaxOutput = std::size_t{256} << 20U;

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> fds{};
  if (::pipe2(fds.data(), O_CLOEXEC) != 0) return fail_errno(errno, "pipe");
  return Pipe{UniqueFd{fds[0]}, UniqueFd{fds[1]}};
}

// A started program. Killed at the end of its scope unless it was waited for.
class Child {
 public:
  Child(pid_t pid, UniqueFd ended) : pid_(pid), ended_(std::move(ended)) {}
  ~Child() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    // A program that hangs in the kernel dies later, or never; waiting on would hang us too.
    pollfd end{ended_.get(), POLLIN, 0};
    if (::poll(&end, 1, kDyingTime) == 1) static_cast<void>(wait());
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Readable when the program has ended.
  [[nodiscard]] int ended() const { return ended_.get(); }

  // Its wait status.
  [[nodiscard]] Result<int> wait() {
    auto status = await_end(pid_);
    if (status) pid_ = -1;
    return status;
  }

 private:
  static constexpr int kDyingTime = 1000;  // milliseconds

  pid_t pid_;
  UniqueFd ended_;
};

struct Output {
  std::string out;
  std::string err;
};

// Appends what is there; closes the pipe at its end.
Status drain(UniqueFd& fd, std::string& into) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(fd.get(), buffer.data(), buffer.size());
  if (count < 0 && errno == EINTR) return {};
  if (count < 0) return fail_errno(errno, "read a program's output");
  if (count == 0) {
    fd.reset();
    return {};
  }
  if (into.size() + static_cast<std::size_t>(count) > kMaxOutput)
    return fail(Code::kInternal, "a program printed more than {} bytes", kMaxOutput);
  into.append(buffer.data(), static_cast<std::size_t>(count));
  return {};
}

// Reads both pipes until the program has ended and they are empty. Absent at the deadline.
Result<std::optional<Output>> drain_until_end(const Child& child, UniqueFd out, UniqueFd err,
                                              Clock::time_point deadline) {
  Output output;
  bool running = true;
  while (running || out || err) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) return std::nullopt;
    // poll() passes over negative descriptors.
    std::array<pollfd, 3> fds{{{out.get(), POLLIN, 0},
                               {err.get(), POLLIN, 0},
                               {running ? child.ended() : -1, POLLIN, 0}}};
    const int ready =
        ::poll(fds.data(), fds.size(), static_cast<int>(std::min<long>(left.count(), 60'000)));
    if (ready < 0 && errno != EINTR) return fail_errno(errno, "poll a program's output");
    if (ready <= 0) continue;
    if (fds[0].revents != 0)
      if (auto read = drain(out, output.out); !read) return std::unexpected(read.error());
    if (fds[1].revents != 0)
      if (auto read = drain(err, output.err); !read) return std::unexpected(read.error());
    if (fds[2].revents != 0) running = false;
  }
  return output;
}

}  // namespace

Result<ProgramOutput> run_program(const std::string& program,
                                  std::span<const std::string> arguments,
                                  std::chrono::milliseconds time_limit,
                                  std::vector<std::string> more) {
  const auto deadline = Clock::now() + time_limit;
  auto out = make_pipe();
  if (!out) return std::unexpected(out.error());
  auto err = make_pipe();
  if (!err) return std::unexpected(err.error());
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const auto pid = spawn(std::move(words), out->write_end.get(), err->write_end.get(),
                         BlockedSignals::kNone, std::move(more));
  if (!pid) return std::unexpected(pid.error());
  // glibc 2.36 has pidfd_open, but not for C++.
  Child child{*pid, UniqueFd{static_cast<int>(::syscall(SYS_pidfd_open, *pid, 0))}};
  out->write_end.reset();
  err->write_end.reset();
  if (child.ended() < 0) return fail_errno(errno, "watch a program");

  auto output =
      drain_until_end(child, std::move(out->read_end), std::move(err->read_end), deadline);
  if (!output) return std::unexpected(output.error());
  if (!*output)
    return fail(Code::kDeadlineExceeded, "{} {} was stopped: it ran longer than {} ms", program,
                fmt::join(arguments, " "), time_limit.count());
  const auto status = child.wait();
  if (!status) return std::unexpected(status.error());
  std::string& errors = (*output)->err;
  while (errors.ends_with('\n')) errors.pop_back();
  if (WIFSIGNALED(*status))
    return fail(Code::kInternal, "{} was ended by signal {}: {}", program, WTERMSIG(*status),
                errors);
  if (WEXITSTATUS(*status) != 0)
    return fail(Code::kInternal, "{} ended with {}: {}", program, WEXITSTATUS(*status), errors);
  return ProgramOutput{.out = std::move((*output)->out), .errors = std::move(errors)};
}

}  // namespace lvmd
