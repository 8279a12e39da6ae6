#include "lvmd/lvm/vg_lock.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <fstream>
#include <sstream>

namespace lvmd::lvm {
namespace {

std::string command_of(pid_t pid) {
  std::ifstream file{fmt::format("/proc/{}/comm", pid)};
  std::string name;
  std::getline(file, name);
  return name;
}

}  // namespace

std::string describe(const LockHolder& holder) {
  return fmt::format("{} (pid {})", holder.command.empty() ? "a process" : holder.command,
                     holder.pid);
}

Result<std::optional<LockHolder>> lock_holder(std::string_view volume_group,
                                              const std::filesystem::path& locking_dir,
                                              const std::filesystem::path& proc_locks) {
  const std::filesystem::path path = locking_dir / fmt::format("V_{}", volume_group);
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT) return std::nullopt;
    return fail_errno(errno, path.string());
  }
  // "1: FLOCK  ADVISORY  WRITE 4711 00:1a:2345 0 EOF"; a waiter's line has "->" after the number.
  const std::string inode =
      fmt::format("{:02x}:{:02x}:{}", major(status.st_dev), minor(status.st_dev), status.st_ino);
  std::ifstream locks{proc_locks};
  if (!locks) return fail(Code::kInternal, "{} can't be read", proc_locks.string());
  for (std::string line; std::getline(locks, line);) {
    std::istringstream words{line};
    std::string number;
    std::string kind;
    std::string mode;
    std::string access;
    std::string where;
    pid_t pid = 0;
    if (!(words >> number >> kind >> mode >> access >> pid >> where)) continue;
    if (kind == "FLOCK" && where == inode)
      return LockHolder{.pid = pid, .command = command_of(pid)};
  }
  return std::nullopt;
}

}  // namespace lvmd::lvm
