#include "lvmd/lvm/vg_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "lvmd/base/files.hpp"

namespace lvmd::lvm {
namespace {

std::filesystem::path lock_file(std::string_view volume_group,
                                const std::filesystem::path& locking_dir) {
  return locking_dir / fmt::format("V_{}", volume_group);
}

}  // namespace

std::string describe(const LockHolder& holder) {
  return fmt::format("{} (pid {})", holder.command.empty() ? "a process" : holder.command,
                     holder.pid);
}

Result<std::optional<LockHolder>> lock_holder(std::string_view volume_group,
                                              const std::filesystem::path& locking_dir,
                                              const std::filesystem::path& proc_locks) {
  const std::filesystem::path path = lock_file(volume_group, locking_dir);
  const UniqueFd fd{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!fd) {
    if (errno == ENOENT) return std::nullopt;
    return fail_errno(errno, path.string());
  }
  // To read /proc/locks takes tens of milliseconds: the kernel waits for a grace period of RCU.
  if (::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) return std::nullopt;
  if (errno != EWOULDBLOCK) return fail_errno(errno, path.string());
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return fail_errno(errno, path.string());
  // "1: FLOCK  ADVISORY  WRITE 4711 00:1a:2345 0 EOF"; a waiter's line has "->" after the number.
  const std::string inode =
      fmt::format("{:02x}:{:02x}:{}", major(status.st_dev), minor(status.st_dev), status.st_ino);
  std::ifstream locks{proc_locks};
  if (!locks) return fail(Code::kInternal, "cannot read {}", proc_locks.string());
  for (std::string line; std::getline(locks, line);) {
    std::istringstream fields{line};
    std::string number;
    std::string kind;
    std::string mode;
    std::string access;
    std::string where;
    pid_t pid = 0;
    if (!(fields >> number >> kind >> mode >> access >> pid >> where)) continue;
    if (kind == "FLOCK" && where == inode)
      return LockHolder{.pid = pid, .command = program_name(pid)};
  }
  return std::nullopt;
}

Result<std::optional<UniqueFd>> take_vg_lock(std::string_view volume_group,
                                             const std::filesystem::path& locking_dir) {
  const std::filesystem::path path = lock_file(volume_group, locking_dir);
  std::error_code error;
  std::filesystem::create_directories(locking_dir, error);
  if (error)
    return fail(Code::kInternal, "cannot create {}: {}", locking_dir.string(), error.message());
  for (;;) {
    UniqueFd fd{::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600)};
    if (!fd) return fail_errno(errno, path.string());
    if (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return std::nullopt;
      return fail_errno(errno, path.string());
    }
    // LVM removes the file when it releases the lock: a lock of the removed file does not exclude
    // LVM.
    if (is_named(fd.get(), path)) return std::optional{std::move(fd)};
  }
}

}  // namespace lvmd::lvm
