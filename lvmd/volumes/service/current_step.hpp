// The step that a worker or an observer has announced, and when it counts as stuck.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "internal/worker.pb.h"
#include "lvmd/base/clock.hpp"

namespace lvmd::volumes {

// A group whose command runs for longer accepts no changes, and health reports the command
// [P-STATE-4].
inline constexpr std::chrono::seconds kStuckAfter{10};

struct Step {
  // "lvcreate vg0/pvc-1", "read /dev/sdb".
  std::string what;
  MonotonicTime since;
  // If the step takes longer, the volume group does not serve. Absent: no limit.
  std::optional<std::chrono::seconds> limit;

  [[nodiscard]] std::optional<MonotonicTime> stuck_at() const {
    if (!limit) return std::nullopt;
    return MonotonicTime{since.nanoseconds + std::chrono::nanoseconds{*limit}.count()};
  }
  [[nodiscard]] bool is_stuck(MonotonicTime now) const {
    const auto at = stuck_at();
    return at && *at <= now;
  }
};

// Thread-safe.
class CurrentStep {
 public:
  void begin(const internal::WorkerBusy& busy) {
    const std::lock_guard lock{mutex_};
    step_ = Step{.what = busy.command(), .since = {busy.since()}, .limit = std::nullopt};
    if (busy.limit_seconds() != 0) step_->limit = std::chrono::seconds{busy.limit_seconds()};
  }
  // Returns the step that ends; absent when none was announced.
  std::optional<Step> end() {
    const std::lock_guard lock{mutex_};
    return std::exchange(step_, std::nullopt);
  }
  [[nodiscard]] std::optional<Step> current() const {
    const std::lock_guard lock{mutex_};
    return step_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<Step> step_;
};

}  // namespace lvmd::volumes
