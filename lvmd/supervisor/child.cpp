#include "lvmd/supervisor/child.hpp"

#include <fcntl.h>
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
  // dup2() clears close-on-exec. All other descriptors have it set.
  if (::dup2(control, STDIN_FILENO) < 0) ::_exit(kExitNotExecuted);
  if (auto confined = program.confine ? program.confine() : Status{}; !confined) {
    log::error(
        fmt::format("{} can't be confined: {}", program.file.path(), confined.error().message));
    ::_exit(kExitNotExecuted);
  }
  std::vector<char*> argv;
  argv.push_back(const_cast<char*>(program.file.path().c_str()));
  for (const std::string& argument : program.arguments)
    argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execveat(program.file.fd(), "", argv.data(), environ, AT_EMPTY_PATH);
  log::error(errno_error(errno, program.file.path()).message);
  ::_exit(kExitNotExecuted);
}

}  // namespace

Result<ProgramFile> ProgramFile::open(const std::string& path) {
  UniqueFd file{::open(path.c_str(), O_PATH | O_CLOEXEC)};
  if (!file) return fail_errno(errno, path);
  return ProgramFile{path, std::move(file)};
}

Result<Child> spawn(const Program& program) {
  auto pair = ipc::make_pair();
  if (!pair) return std::unexpected(pair.error());
  auto& [ours, theirs] = *pair;
  const pid_t pid = ::fork();
  if (pid < 0) return fail_errno(errno, "fork");
  if (pid == 0) become(program, theirs.fd());
  return Child{.pid = pid, .started = std::chrono::steady_clock::now(), .control = std::move(ours)};
}

}  // namespace lvmd::supervisor
