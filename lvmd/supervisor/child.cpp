#include "lvmd/supervisor/child.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "lvmd/base/log.hpp"

namespace lvmd::supervisor {
namespace {

constexpr int kExitNotExecuted = 126;

[[noreturn]] void become(const Program& program, int control) {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // dup2 clears close-on-exec; all else we have is close-on-exec.
  if (::dup2(control, STDIN_FILENO) < 0) ::_exit(kExitNotExecuted);
  if (auto narrowed = program.narrow ? program.narrow() : Status{}; !narrowed) {
    log::error(fmt::format("{} can't be confined: {}", program.path, narrowed.error().message));
    ::_exit(kExitNotExecuted);
  }
  std::vector<char*> argv;
  argv.push_back(const_cast<char*>(program.path.c_str()));
  for (const std::string& argument : program.arguments)
    argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execv(program.path.c_str(), argv.data());
  log::error(errno_error(errno, program.path).message);
  ::_exit(kExitNotExecuted);
}

}  // namespace

Result<Child> spawn(const Program& program) {
  auto pair = channel::make_pair();
  if (!pair) return std::unexpected(pair.error());
  auto& [ours, theirs] = *pair;
  const pid_t pid = ::fork();
  if (pid < 0) return fail_errno(errno, "fork");
  if (pid == 0) become(program, theirs.fd());
  return Child{.pid = pid, .started = std::chrono::steady_clock::now(), .control = std::move(ours)};
}

}  // namespace lvmd::supervisor
