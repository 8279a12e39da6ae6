// LVM's own lock of a volume group, seen from outside: who holds it.
//
// Every lvm command takes flock(2) on <locking_dir>/V_<vg>. "Lock held" and "no space" end with the
// same exit code, so a failed command asks here which of them it was.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::lvm {

struct LockHolder {
  pid_t pid = 0;
  // As in /proc/<pid>/comm; empty when the process has gone since.
  std::string command;

  friend bool operator==(const LockHolder&, const LockHolder&) = default;
};

// "lvcreate (pid 4711)".
[[nodiscard]] std::string describe(const LockHolder& holder);

// Absent when nobody holds it, or no such file exists. Takes no lock itself. `proc_locks` is
// /proc/locks; tests pass a file of theirs.
[[nodiscard]] Result<std::optional<LockHolder>> lock_holder(
    std::string_view volume_group, const std::filesystem::path& locking_dir = "/run/lock/lvm",
    const std::filesystem::path& proc_locks = "/proc/locks");

}  // namespace lvmd::lvm
