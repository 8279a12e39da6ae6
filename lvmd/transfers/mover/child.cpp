#include "lvmd/transfers/mover/child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <string>
#include <string_view>

namespace lvmd::transfers::mover {
namespace {

// As a shell says of a program that can't be run; restic has no such exit code.
constexpr int kNotExecuted = 126;

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> fds{};
  if (::pipe2(fds.data(), O_CLOEXEC) != 0) return fail_errno(errno, "pipe2");
  return Pipe{UniqueFd{fds[0]}, UniqueFd{fds[1]}};
}

Status make_non_blocking(const UniqueFd& fd) {
  const int flags = ::fcntl(fd.get(), F_GETFL);
  if (flags < 0 || ::fcntl(fd.get(), F_SETFL, flags | O_NONBLOCK) != 0)
    return fail_errno(errno, "make a pipe non-blocking");
  return {};
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> all;
  all.reserve(strings.size() + 1);
  for (const std::string& string : strings) all.push_back(const_cast<char*>(string.c_str()));
  all.push_back(nullptr);
  return all;
}

struct Plan {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  Capabilities capabilities;
  const std::vector<int>* inherited;
  int input;
  int output;
  int errors;
  pid_t parent;
};

[[noreturn]] void give_up(std::string_view why) {
  // Standard error is the pipe to the mover.
  static_cast<void>(!::write(STDERR_FILENO, why.data(), why.size()));
  ::_exit(kNotExecuted);
}

[[noreturn]] void become(const Plan& plan) {
  if (::dup2(plan.input, STDIN_FILENO) < 0 || ::dup2(plan.output, STDOUT_FILENO) < 0 ||
      ::dup2(plan.errors, STDERR_FILENO) < 0)
    ::_exit(kNotExecuted);
  ::setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  for (const int fd : *plan.inherited)
    if (::fcntl(fd, F_SETFD, 0) != 0) give_up("can't hand over a descriptor\n");
  if (auto kept = keep_only(plan.capabilities); !kept) give_up(kept.error().message);
  // After the capabilities: a change of them forgets it.
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up("can't be tied to its mover\n");
  // The mover may have died before that.
  if (::getppid() != plan.parent) ::_exit(kNotExecuted);
  ::execve(plan.arguments.front(), plan.arguments.data(), plan.environment.data());
  give_up(errno_error(errno, plan.arguments.front()).message);
}

}  // namespace

Result<Child> Child::start(const CommandLine& command, Capabilities capabilities,
                           const std::vector<int>& inherited, bool with_input) {
  auto output = make_pipe();
  if (!output) return std::unexpected(output.error());
  auto errors = make_pipe();
  if (!errors) return std::unexpected(errors.error());
  Pipe input;
  if (with_input) {
    auto made = make_pipe();
    if (!made) return std::unexpected(made.error());
    input = std::move(*made);
  } else {
    input.read_end.reset(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!input.read_end) return fail_errno(errno, "/dev/null");
  }
  for (const UniqueFd* fd : {&output->read_end, &errors->read_end})
    if (auto done = make_non_blocking(*fd); !done) return std::unexpected(done.error());
  if (with_input)
    if (auto done = make_non_blocking(input.write_end); !done) return std::unexpected(done.error());

  const Plan plan{.arguments = pointers(command.arguments),
                  .environment = pointers(command.environment),
                  .capabilities = capabilities,
                  .inherited = &inherited,
                  .input = input.read_end.get(),
                  .output = output->write_end.get(),
                  .errors = errors->write_end.get(),
                  .parent = ::getpid()};
  const pid_t pid = ::fork();
  if (pid < 0) return fail_errno(errno, "fork");
  if (pid == 0) become(plan);
  // glibc 2.36 has pidfd_open, but not for C++.
  Child child{pid, UniqueFd{static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))}};
  if (child.ended() < 0) {
    const Failure failure = fail_errno(errno, "watch a program");
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return failure;
  }
  child.input = std::move(input.write_end);
  child.output = std::move(output->read_end);
  child.errors = std::move(errors->read_end);
  return child;
}

Child::~Child() {
  if (!pidfd_) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Child::kill(int signal) const {
  if (pidfd_) ::kill(pid_, signal);
}

std::uint64_t Child::bytes_read() const {
  const UniqueFd file{::open(fmt::format("/proc/{}/io", pid_).c_str(), O_RDONLY | O_CLOEXEC)};
  std::array<char, 512> buffer{};
  const ssize_t count = file ? ::read(file.get(), buffer.data(), buffer.size()) : 0;
  constexpr std::string_view kField = "rchar: ";
  const std::string_view text{buffer.data(), static_cast<std::size_t>(count > 0 ? count : 0)};
  std::uint64_t bytes = 0;
  if (text.starts_with(kField))
    std::from_chars(text.data() + kField.size(), text.data() + text.size(), bytes);
  return bytes;
}

int Child::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pidfd_.reset();
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace lvmd::transfers::mover
