// One LVM command, tried again for a while when another program holds the group's lock.
#pragma once

#include <chrono>
#include <functional>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/lvm/lvm_runner.hpp"

namespace lvmd::lvm {

inline constexpr std::chrono::seconds kLockWait{5};

// LVM's own wait has no bound, and it ends with the same exit code for "locked" and "no space". So
// commands don't wait at all, and whoever holds the lock before or after a failure is why it
// failed. Aborted, naming the holder, when the lock is not to be had for `patience` (P-RUN-5);
// otherwise the outcome. `before_retry` runs before each further try: what the caller knew of the
// group is from before the holder's changes.
[[nodiscard]] Result<LvmOutcome> run_with_retry(LvmRunner& lvm, const LvmCommand& command,
                                               std::string_view volume_group,
                                               const std::function<void()>& before_retry = {},
                                               std::chrono::milliseconds lock_wait = kLockWait);

}  // namespace lvmd::lvm
