// When to try again [R-FAIL-3].
#pragma once

#include <chrono>

namespace lvmd::reconciler {

inline constexpr std::chrono::milliseconds kFirstRetry{500};
inline constexpr std::chrono::milliseconds kLongestRetry{60'000};

struct Pace {
  std::chrono::milliseconds first = kFirstRetry;
  std::chrono::milliseconds longest = kLongestRetry;
};

// What was refused is refused again, until somebody frees space or changes lvmd.yaml [R-FAIL-10].
inline constexpr Pace kSlowly{.first = std::chrono::seconds{10},
                              .longest = std::chrono::seconds{300}};

// The wait after `failures` (at least 1) failures in a row: the pace's first, doubled for each
// further one up to its longest, then moved by up to ±20 %. `jitter` in [0, 1) picks where in that
// range.
[[nodiscard]] std::chrono::milliseconds retry_after(unsigned failures, double jitter,
                                                    const Pace& pace = {});

// A number in [0, 1) for retry_after. Safe from every thread.
[[nodiscard]] double random_jitter();

}  // namespace lvmd::reconciler
