// LVM's own lock of a volume group: queries its holder, and takes it for work that must not run
// during an LVM command.
//
// Every LVM command takes flock(2) on <locking_dir>/V_<vg>. LVM's exit code is the same for "lock
// held" and "no space"; the holder distinguishes them.
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
  // The contents of /proc/<pid>/comm; empty if the process has ended since.
  std::string command;

  friend bool operator==(const LockHolder&, const LockHolder&) = default;
};

// For example "lvcreate (pid 4711)".
[[nodiscard]] std::string describe(const LockHolder& holder);

// Absent if no process holds the lock, or if the lock file does not exist. If the lock is free, the
// function takes it for an instant; LVM waits for it or, with wait_for_locks=0, fails.
// `proc_locks`: tests replace it.
[[nodiscard]] Result<std::optional<LockHolder>> lock_holder(
    std::string_view volume_group, const std::filesystem::path& locking_dir = "/run/lock/lvm",
    const std::filesystem::path& proc_locks = "/proc/locks");

// Takes the exclusive lock as LVM does, without waiting, until the descriptor is closed. Absent if
// another process holds the lock. Until then the caller must not run an LVM command for the group:
// that command would find the lock held.
[[nodiscard]] Result<std::optional<UniqueFd>> take_vg_lock(
    std::string_view volume_group, const std::filesystem::path& locking_dir = "/run/lock/lvm");

}  // namespace lvmd::lvm
