#include "lvmd/base/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <system_error>

namespace lvmd {
namespace {

// start() reaps a process with this exit code, so only ps(1) shows it.
constexpr int kNotExecuted = 126;
constexpr int kTerminationMilliseconds = 1000;

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> fds{};
  if (::pipe2(fds.data(), O_CLOEXEC) != 0) return fail_errno(errno, "pipe2");
  return Pipe{UniqueFd{fds[0]}, UniqueFd{fds[1]}};
}

// Opens /dev/null or the program's end of a pipe, whose other end becomes `ours`. Opens nothing for
// a stream that the caller has.
Result<UniqueFd> open_stream(int requested, bool is_input, UniqueFd& ours) {
  if (requested == ProcessSpec::kNull) {
    UniqueFd null{::open("/dev/null", O_RDWR | O_CLOEXEC)};
    if (!null) return fail_errno(errno, "/dev/null");
    return null;
  }
  if (requested != ProcessSpec::kPipe) return UniqueFd{};
  auto pipe = make_pipe();
  if (!pipe) return std::unexpected(pipe.error());
  ours = std::move(is_input ? pipe->write_end : pipe->read_end);
  if (::fcntl(ours.get(), F_SETFL, O_NONBLOCK) != 0)
    return fail_errno(errno, "make a pipe non-blocking");
  return std::move(is_input ? pipe->read_end : pipe->write_end);
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> all;
  all.reserve(strings.size() + 1);
  for (const std::string& string : strings) all.push_back(const_cast<char*>(string.c_str()));
  all.push_back(nullptr);
  return all;
}

// Everything that the new process needs. It is prepared before fork(), because the new process may
// call only async-signal-safe functions when the caller has several threads.
struct Plan {
  const ProcessSpec& spec;
  std::vector<char*> arguments;
  std::vector<char*> environment;
  std::array<int, 3> streams{};
  // Receives the errno, and the message of the hook, of a step that failed.
  int report = -1;
  pid_t caller = ::getpid();
};

[[noreturn]] void give_up(int report, int error, std::string_view message = {}) {
  static_cast<void>(!::write(report, &error, sizeof error));
  static_cast<void>(!::write(report, message.data(), message.size()));
  ::_exit(kNotExecuted);
}

void set_descriptors(const Plan& plan) {
  for (int number = 0; number < 3; ++number) {
    const int stream = plan.streams[static_cast<std::size_t>(number)];
    if (stream != number && ::dup2(stream, number) < 0) give_up(plan.report, errno);
  }
  if (::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) != 0) give_up(plan.report, errno);
  for (const int fd : plan.spec.inherited)
    if (::fcntl(fd, F_SETFD, 0) != 0) give_up(plan.report, errno);
}

[[noreturn]] void become(const Plan& plan) {
  const ProcessSpec& spec = plan.spec;
  set_descriptors(plan);
  if (spec.group == ProcessSpec::Group::kOwn) ::setpgid(0, 0);
  if (spec.group == ProcessSpec::Group::kOwnSession) ::setsid();
  sigset_t none;
  sigemptyset(&none);
  if (!spec.keep_signal_mask) ::sigprocmask(SIG_SETMASK, &none, nullptr);
  static_cast<void>(::signal(SIGPIPE, SIG_DFL));
  // limit_heap() concerns lvmd's own memory. A program of lvmd calls it itself.
  static_cast<void>(::prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0));
  if (spec.before_exec)
    if (const auto done = spec.before_exec(); !done) give_up(plan.report, 0, done.error().message);
  if (spec.killed_with_caller) {
    // After the hook, because a change of capabilities resets this setting.
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(plan.report, errno);
    // The caller may have died before.
    if (::getppid() != plan.caller) ::_exit(kNotExecuted);
  }
  char* const* const environment = spec.environment ? plan.environment.data() : environ;
  if (spec.executable >= 0)
    ::execveat(spec.executable, "", plan.arguments.data(), environment, AT_EMPTY_PATH);
  else
    ::execvpe(plan.arguments.front(), plan.arguments.data(), environment);
  give_up(plan.report, errno);
}

// Why the new process could not execute the program; empty after a successful exec, which closes
// the pipe.
std::string reported_failure(const UniqueFd& report) {
  std::string bytes;
  std::array<char, 512> buffer{};
  for (;;) {
    const ssize_t count = ::read(report.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
  int error = 0;
  if (bytes.size() < sizeof error) return {};
  std::memcpy(&error, bytes.data(), sizeof error);
  return error == 0 ? bytes.substr(sizeof error) : std::generic_category().message(error);
}

Failure cannot_start(const ProcessSpec& spec, std::string_view why) {
  return fail(Code::kInternal, "cannot start {}: {}", spec.arguments.front(), why);
}

}  // namespace

std::vector<std::string> minimal_environment() {
  return {"LC_ALL=C", "PATH=/usr/sbin:/usr/bin:/sbin:/bin"};
}

std::string describe(const ExitStatus& status) {
  return status.signal != 0 ? fmt::format("was killed by signal {}", status.signal)
                            : fmt::format("failed with exit code {}", status.code);
}

Result<Process> Process::start(const ProcessSpec& spec) {
  Process process;
  Plan plan{.spec = spec,
            .arguments = pointers(spec.arguments),
            .environment = spec.environment ? pointers(*spec.environment) : std::vector<char*>{}};
  std::array<UniqueFd, 3> theirs;
  const std::array<int, 3> requested{spec.input, spec.output, spec.errors};
  const std::array<UniqueFd*, 3> ours{&process.input, &process.output, &process.errors};
  for (std::size_t number = 0; number < requested.size(); ++number) {
    auto opened = open_stream(requested[number], number == STDIN_FILENO, *ours[number]);
    if (!opened) return cannot_start(spec, opened.error().message);
    theirs[number] = std::move(*opened);
    plan.streams[number] = requested[number];
    if (requested[number] == ProcessSpec::kInherit) plan.streams[number] = static_cast<int>(number);
    if (theirs[number]) plan.streams[number] = theirs[number].get();
  }
  auto report = make_pipe();
  if (!report) return cannot_start(spec, report.error().message);
  plan.report = report->write_end.get();

  process.pid_ = ::fork();
  if (process.pid_ < 0) return cannot_start(spec, errno_error(errno, "fork").message);
  if (process.pid_ == 0) become(plan);
  report->write_end.reset();
  std::string failure = reported_failure(report->read_end);
  // glibc 2.36 declares pidfd_open() only for C.
  process.pidfd_.reset(static_cast<int>(::syscall(SYS_pidfd_open, process.pid_, 0)));
  if (!process.pidfd_ && failure.empty()) failure = errno_error(errno, "pidfd_open").message;
  if (failure.empty()) return process;
  process.kill(SIGKILL);
  static_cast<void>(process.wait());
  return cannot_start(spec, failure);
}

Process::Process(Process&& other) noexcept
    : input(std::move(other.input)),
      output(std::move(other.output)),
      errors(std::move(other.errors)),
      pid_(std::exchange(other.pid_, -1)),
      pidfd_(std::move(other.pidfd_)),
      reaped_(other.reaped_) {}

Process::~Process() {
  if (pid_ < 0 || reaped_) return;
  kill(SIGKILL);
  pollfd end{pidfd_.get(), POLLIN, 0};
  if (::poll(&end, 1, kTerminationMilliseconds) == 1) static_cast<void>(wait());
}

void Process::kill(int signal) const {
  if (pid_ > 0 && !reaped_) ::kill(pid_, signal);
}

Result<std::optional<ExitStatus>> Process::reap(int options) {
  int status = 0;
  pid_t ended = 0;
  do ended = ::waitpid(pid_, &status, options);
  while (ended < 0 && errno == EINTR);
  if (ended == 0) return std::nullopt;
  reaped_ = true;
  if (ended < 0) return fail_errno(errno, "wait for a program");
  if (WIFSIGNALED(status)) return ExitStatus{.signal = WTERMSIG(status)};
  return ExitStatus{.code = WEXITSTATUS(status)};
}

Result<ExitStatus> Process::wait() {
  const auto status = reap(0);
  if (!status) return std::unexpected(status.error());
  return **status;
}

Result<std::optional<ExitStatus>> Process::try_wait() { return reap(WNOHANG); }

}  // namespace lvmd
