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

bool tells_of_a_lock(const LvmOutcome& outcome) {
  const auto has = [&outcome](std::string_view words) {
    return std::ranges::any_of(outcome.errors,
                               [words](const std::string& error) { return error.contains(words); });
  };
  if (has("flock failed: Resource temporarily unavailable")) return true;
  // LVM takes a second file first, and reports nothing else when that one is locked. A file that
  // cannot be opened or locked has an error of its own.
  return has("Can't get lock for ") && !has(" failed: ");
}

}  // namespace

Result<LvmOutcome> run_with_retry(LvmRunner& lvm, const LvmCommand& command,
                                 std::string_view volume_group,
                                 const std::function<void()>& before_retry,
                                 std::chrono::milliseconds lock_wait) {
  const auto deadline = std::chrono::steady_clock::now() + lock_wait;
  for (auto pause = kFirstPause;; pause = std::min(pause * 2, kLongestPause)) {
    // Asked before the command too: a holder may let go between its refusal and the question.
    const auto before = lock_holder(volume_group);
    if (!before) return std::unexpected(before.error());
    auto outcome = lvm.run(command);
    if (!outcome || outcome->succeeded()) return outcome;
    const auto after = lock_holder(volume_group);
    if (!after) return std::unexpected(after.error());
    const std::optional<LockHolder>& holder = *after ? *after : *before;
    const bool is_over = std::chrono::steady_clock::now() + pause > deadline;
    // A holder may have come and gone within the command, as lvs does. Then nobody is seen, and
    // LVM's words alone tell of it.
    if (!holder && !tells_of_a_lock(*outcome)) return outcome;
    if (is_over) {
      const std::string who = holder ? describe(*holder) : "programs that hold it for a moment";
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
