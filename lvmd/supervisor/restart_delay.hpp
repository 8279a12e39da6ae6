// How long to wait before a child that ended is started again.
#pragma once

#include <algorithm>
#include <chrono>

namespace lvmd::supervisor {

// The first restart comes after 100 ms; children that end young again and again wait longer, up to
// 1 s, so that a broken one doesn't keep a core busy, and kills in quick succession keep no group
// away for longer [P-RUN-6]. A child that lived 10 s starts afresh.
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
