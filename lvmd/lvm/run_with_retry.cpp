#include "lvmd/lvm/run_with_retry.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <thread>

#include "lvmd/base/reason.hpp"
#include "lvmd/lvm/vg_lock.hpp"

namespace lvmd::lvm {
namespace {

using std::chrono_literals::operator""ms;

constexpr std::chrono::milliseconds kFirstPause = 50ms;
constexpr std::chrono::milliseconds kLongestPause = 500ms;

bool reports_held_lock(const LvmOutcome& outcome) {
  const auto has = [&outcome](std::string_view text) {
    return std::ranges::any_of(outcome.errors,
                               [text](const std::string& error) { return error.contains(text); });
  };
  if (has("flock failed: Resource temporarily unavailable")) return true;
  // LVM locks a second file first, and this is its only message when that lock is held. If a file
  // cannot be opened or locked, LVM prints another error too.
  return has("Can't get lock for ") && !has(" failed: ");
}

}  // namespace

Result<LvmOutcome> run_with_retry(LvmRunner& lvm, const LvmCommand& command,
                                  std::string_view volume_group,
                                  const std::function<void()>& before_retry,
                                  std::chrono::milliseconds lock_wait) {
  const auto deadline = std::chrono::steady_clock::now() + lock_wait;
  for (auto pause = kFirstPause;; pause = std::min(pause * 2, kLongestPause)) {
    // Queried before the command too: the holder may release the lock between the command's failure
    // and the second query.
    const auto before = lock_holder(volume_group);
    if (!before) return std::unexpected(before.error());
    auto outcome = lvm.run(command);
    if (!outcome || outcome->succeeded()) return outcome;
    const auto after = lock_holder(volume_group);
    if (!after) return std::unexpected(after.error());
    const std::optional<LockHolder>& holder = *after ? *after : *before;
    const bool is_over = std::chrono::steady_clock::now() + pause > deadline;
    // A program such as lvs may have held the lock only while the command ran. Then neither query
    // finds a holder, and only LVM's messages report the lock.
    if (!holder && !reports_held_lock(*outcome)) return outcome;
    if (is_over) {
      const std::string who =
          holder ? describe(*holder) : "programs that hold the lock only briefly";
      return fail(Code::kAborted, "volume group {} is locked by {}: try again later", volume_group,
                  who)
          .because(reason::kVolumeGroupLocked)
          .with(key::kVg, volume_group)
          .with(key::kHolder, who);
    }
    std::this_thread::sleep_for(pause);
    if (before_retry) before_retry();
  }
}

}  // namespace lvmd::lvm
