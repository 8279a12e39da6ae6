// The time that orders states: CLOCK_MONOTONIC, which all processes of one host share.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace lvmd {

// Nanoseconds of CLOCK_MONOTONIC. The default value is earlier than every measured one.
struct MonotonicTime {
  std::int64_t nanoseconds = 0;

  friend auto operator<=>(MonotonicTime, MonotonicTime) = default;
};

// The present time. Thread-safe; never goes back.
[[nodiscard]] MonotonicTime monotonic_now();

[[nodiscard]] inline std::chrono::nanoseconds operator-(MonotonicTime later,
                                                        MonotonicTime earlier) {
  return std::chrono::nanoseconds{later.nanoseconds - earlier.nanoseconds};
}

}  // namespace lvmd
