// The delay before a child that has ended is started again.
#pragma once

#include <algorithm>
#include <chrono>

namespace lvmd::supervisor {

// 100 ms for the first restart. The delay doubles up to 1 s while children end within 10 s, so that
// a broken child does not keep a core busy and repeated kills don't stop a group for longer
// [P-RUN-6]. It starts again at 100 ms after a child that ran for 10 s.
class RestartDelay {
 public:
  [[nodiscard]] std::chrono::milliseconds next(std::chrono::steady_clock::duration lived) {
    using std::chrono_literals::operator""ms;
    using std::chrono_literals::operator""s;
    constexpr std::chrono::milliseconds kFirst = 100ms;
    constexpr std::chrono::milliseconds kLongest = 1s;
    delay_ = lived >= 10s || delay_ == 0ms ? kFirst : std::min(delay_ * 2, kLongest);
    return delay_;
  }

 private:
  std::chrono::milliseconds delay_{0};
};

}  // namespace lvmd::supervisor
