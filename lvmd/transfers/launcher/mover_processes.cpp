#include "lvmd/transfers/launcher/mover_processes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <string>

#include "lvmd/transfers/record/record_files.hpp"
#include "lvmd/transfers/record/record_lock.hpp"

namespace lvmd::transfers {
namespace {

class Actions {
 public:
  Actions() { posix_spawn_file_actions_init(&actions_); }
  ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  [[nodiscard]] posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

class Attributes {
 public:
  Attributes() { posix_spawnattr_init(&attributes_); }
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;

  [[nodiscard]] posix_spawnattr_t* get() { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

// Starts the mover in its own session, with no signal blocked and the outputs of this process.
Result<pid_t> spawn_mover(std::string program, std::string title, int input) {
  Actions actions;
  posix_spawn_file_actions_adddup2(actions.get(), input, STDIN_FILENO);
  posix_spawn_file_actions_addclosefrom_np(actions.get(), STDERR_FILENO + 1);
  Attributes attributes;
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(attributes.get(), &none);
  posix_spawnattr_setflags(attributes.get(), POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);
  std::string path = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
  std::string locale = "LC_ALL=C";
  const std::array<char*, 3> environment{path.data(), locale.data(), nullptr};
  const std::array<char*, 3> arguments{program.data(), title.data(), nullptr};
  pid_t pid = -1;
  // Fails also when the program can't be executed.
  const int error = ::posix_spawn(&pid, program.c_str(), actions.get(), attributes.get(),
                                  arguments.data(), environment.data());
  if (error != 0) {
    Error why = errno_error(error, fmt::format("start {}", program));
    why.code = Code::kInternal;
    return std::unexpected(std::move(why));
  }
  return pid;
}

// glibc 2.36 declares these calls for C only.
int open_process(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

// The first 15 characters of the program's name. /proc/<pid>/exe is not readable without ptrace
// access, because a mover is not dumpable.
std::string name_of(pid_t pid) {
  std::ifstream file{fmt::format("/proc/{}/comm", pid)};
  std::string name;
  std::getline(file, name);
  return name;
}

}  // namespace

void MoverProcesses::start(const MoverUnit& unit, UniqueFd job, Done done) {
  const auto pid = spawn_mover(unit.program, unit.title, job.get());
  if (!pid) return done(std::unexpected(pid.error()));
  children_.insert(*pid);
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
  if (!*locked || name_of(pid) != "lvmd-mover") return {};
  if (::syscall(SYS_pidfd_send_signal, process.get(), SIGTERM, nullptr, 0) != 0 && errno != ESRCH)
    return fail_errno(errno, fmt::format("ask the mover of {} to end", key.id));
  return {};
}

void MoverProcesses::reap() {
  std::erase_if(children_, [](pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) == pid; });
}

}  // namespace lvmd::transfers
