#include "lvmd/supervisor/child.hpp"

#include <fcntl.h>

#include <cerrno>
#include <csignal>
#include <optional>
#include <utility>

#include "lvmd/base/process.hpp"

namespace lvmd::supervisor {
Result<ProgramFile> ProgramFile::open(const std::string& path) {
  UniqueFd file{::open(path.c_str(), O_PATH | O_CLOEXEC)};
  if (!file) return fail_errno(errno, path);
  return ProgramFile{path, std::move(file)};
}

Result<Child> spawn(const Program& program) {
  auto pair = ipc::make_pair();
  if (!pair) return std::unexpected(pair.error());
  auto& [ours, theirs] = *pair;
  std::vector<std::string> arguments{program.file.path()};
  arguments.insert(arguments.end(), program.arguments.begin(), program.arguments.end());
  auto process = Process::start({.arguments = std::move(arguments),
                                 .executable = program.file.fd(),
                                 .environment = std::nullopt,
                                 .input = theirs.fd(),
                                 .before_exec = [&program] {
                                   // A log stream that closes must not end a child.
                                   static_cast<void>(::signal(SIGPIPE, SIG_IGN));
                                   return program.confine ? program.confine() : Status{};
                                 }});
  if (!process) return std::unexpected(process.error());
  return Child{.pid = process->release(),
               .started = std::chrono::steady_clock::now(),
               .control = std::move(ours)};
}

}  // namespace lvmd::supervisor
