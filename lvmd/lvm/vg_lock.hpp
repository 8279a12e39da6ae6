// LVM's own lock of a volume group, seen from outside: who holds it; and held by us, for what must
// not fall into somebody's LVM command.
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
#include "lvmd/base/unique_fd.hpp"

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

// Takes it as LVM does, for changing, without waiting, until the descriptor is closed. Absent when
// somebody else has it. No LVM command of ours may run meanwhile: it would find the lock taken.
[[nodiscard]] Result<std::optional<UniqueFd>> take_vg_lock(
    std::string_view volume_group, const std::filesystem::path& locking_dir = "/run/lock/lvm");

}  // namespace lvmd::lvm
