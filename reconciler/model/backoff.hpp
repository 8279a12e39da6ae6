// The time between two attempts [R-FAIL-3].
#pragma once

#include <chrono>
#include <stop_token>

namespace lvmd::reconciler {

inline constexpr std::chrono::milliseconds kFirstRetry{500};
inline constexpr std::chrono::milliseconds kLongestRetry{60'000};

struct Pace {
  std::chrono::milliseconds first = kFirstRetry;
  std::chrono::milliseconds longest = kLongestRetry;
};

// For refusals: the next attempt has the same result until space is freed or a user changes
// lvmd.yaml [R-FAIL-10].
inline constexpr Pace kRefusalPace{.first = std::chrono::seconds{10},
                                   .longest = std::chrono::seconds{300}};

// The wait after `failures` (at least 1) failures in a row: the first wait, doubled for each
// further failure up to the longest wait, then changed by up to ±20 %. `jitter` in [0, 1) selects
// the change.
[[nodiscard]] std::chrono::milliseconds retry_after(unsigned failures, double jitter,
                                                    const Pace& pace = {});

// A number in [0, 1) for retry_after. Safe from every thread.
[[nodiscard]] double random_jitter();

// Waits for that time. A stop ends the wait.
void pause(const std::stop_token& stop, std::chrono::milliseconds time);

}  // namespace lvmd::reconciler
