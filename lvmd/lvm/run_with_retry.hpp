// Runs one LVM command, and retries it while another program holds the lock of the volume group.
#pragma once

#include <chrono>
#include <functional>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/lvm/lvm_runner.hpp"

namespace lvmd::lvm {

inline constexpr std::chrono::seconds kLockWait{5};

// LVM's own wait for a lock has no limit, and LVM's exit code is the same for "locked" and "no
// space". So commands do not wait (LvmCommand::settings()), and a process that holds the lock
// before or after a failed command is taken as the cause of the failure.
//
// Returns the outcome of the last attempt. Aborted, with the holder, if the lock is still held
// after `lock_wait` (P-RUN-5). `before_retry` runs before each further attempt: the holder may have
// changed the group.
[[nodiscard]] Result<LvmOutcome> run_with_retry(LvmRunner& lvm, const LvmCommand& command,
                                                std::string_view volume_group,
                                                const std::function<void()>& before_retry = {},
                                                std::chrono::milliseconds lock_wait = kLockWait);

}  // namespace lvmd::lvm
