// Time as states are ordered by: CLOCK_MONOTONIC, comparable between the processes of one host.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace lvmd {

// Nanoseconds of CLOCK_MONOTONIC. The default value is older than every real one.
struct MonotonicTime {
  std::int64_t nanoseconds = 0;

  friend auto operator<=>(MonotonicTime, MonotonicTime) = default;
};

[[nodiscard]] MonotonicTime monotonic_now();

[[nodiscard]] inline std::chrono::nanoseconds operator-(MonotonicTime later,
                                                        MonotonicTime earlier) {
  return std::chrono::nanoseconds{later.nanoseconds - earlier.nanoseconds};
}

}  // namespace lvmd
