// When to try again [R-FAIL-3].
#pragma once

#include <chrono>

namespace lvmd::reconciler {

inline constexpr std::chrono::milliseconds kFirstRetry{500};
inline constexpr std::chrono::milliseconds kLongestRetry{60'000};

// The wait after `failures` (at least 1) failures in a row: kFirstRetry, doubled for each further
// one up to kLongestRetry, then moved by up to ±20 %. `jitter` in [0, 1) picks where in that range.
[[nodiscard]] std::chrono::milliseconds retry_after(unsigned failures, double jitter);

// A number in [0, 1) for retry_after. Safe from every thread.
[[nodiscard]] double random_jitter();

}  // namespace lvmd::reconciler
