#include <catch2/catch.hpp>
#include <chrono>

#include "lvmd/base/clock.hpp"

using lvmd::MonotonicTime;

TEST_CASE("monotonic time never goes back and is newer than the default", "[base]") {
  const MonotonicTime first = lvmd::monotonic_now();
  const MonotonicTime second = lvmd::monotonic_now();
  CHECK(MonotonicTime{} < first);
  CHECK(first <= second);
}

TEST_CASE("monotonic time is the CLOCK_MONOTONIC of all processes", "[base]") {
  // libstdc++'s steady_clock uses CLOCK_MONOTONIC.
  const auto before = std::chrono::steady_clock::now().time_since_epoch();
  const MonotonicTime now = lvmd::monotonic_now();
  const auto after = std::chrono::steady_clock::now().time_since_epoch();
  CHECK(std::chrono::nanoseconds{before}.count() <= now.nanoseconds);
  CHECK(now.nanoseconds <= std::chrono::nanoseconds{after}.count());
}

TEST_CASE("the difference of two times is a signed duration", "[base]") {
  using namespace std::chrono_literals;
  CHECK(MonotonicTime{.nanoseconds = 1'500} - MonotonicTime{.nanoseconds = 500} == 1us);
  CHECK(MonotonicTime{.nanoseconds = 500} - MonotonicTime{.nanoseconds = 1'500} == -1us);
}
