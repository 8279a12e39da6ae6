#include "lvmd/base/clock.hpp"

#include <ctime>

namespace lvmd {

MonotonicTime monotonic_now() {
  timespec now{};
  // Cannot fail: the kernel has this clock.
  static_cast<void>(clock_gettime(CLOCK_MONOTONIC, &now));
  return {.nanoseconds = static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec};
}

}  // namespace lvmd
