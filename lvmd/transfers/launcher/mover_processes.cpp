#include "lvmd/transfers/launcher/mover_processes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string>

#include "lvmd/base/files.hpp"
#include "lvmd/base/process.hpp"
#include "lvmd/transfers/record/record_files.hpp"
#include "lvmd/transfers/record/record_lock.hpp"

namespace lvmd::transfers {
namespace {

// glibc 2.36 declares these calls for C only.
int open_process(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

}  // namespace

void MoverProcesses::start(const MoverUnit& unit, UniqueFd job, Done done) {
  auto process = Process::start({.arguments = {unit.program, unit.title},
                                 .input = job.get(),
                                 .group = ProcessSpec::Group::kOwnSession});
  if (!process) return done(std::unexpected(process.error()));
  children_.insert(process->release());
  done({});
}

void MoverProcesses::stop(const TransferKey& key, Done done) { done(end(key)); }

Status MoverProcesses::end(const TransferKey& key) const {
  const auto record = read_record(records_, key);
  if (!record) return std::unexpected(record.error());
  if (has_ended(record->transfer().phase())) return {};
  const auto pid = static_cast<pid_t>(record->pid());
  if (pid <= 1) return fail(Code::kUnavailable, "{} is starting: try again", describe(key));
  const UniqueFd process{open_process(pid)};
  if (!process) return {};
  // The process is opened before the check: if it holds the lock and has that pid, it is the one
  // opened, because a pid is not reused while its process exists.
  const auto locked = is_locked(records_, key);
  if (!locked) return std::unexpected(locked.error());
  // Not by /proc/<pid>/exe, which is not readable without ptrace access, because a mover is not
  // dumpable.
  if (!*locked || program_name(pid) != "lvmd-mover") return {};
  if (::syscall(SYS_pidfd_send_signal, process.get(), SIGTERM, nullptr, 0) != 0 && errno != ESRCH)
    return fail_errno(errno, fmt::format("ask the mover of {} to end", key.id));
  return {};
}

void MoverProcesses::reap() {
  std::erase_if(children_, [](pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) == pid; });
}

}  // namespace lvmd::transfers
