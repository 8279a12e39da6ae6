#include <catch2/catch.hpp>

#include "lvmd/supervisor/restart_delay.hpp"

using lvmd::supervisor::RestartDelay;
using namespace std::chrono_literals;

TEST_CASE("the first restart comes almost at once [P-RUN-6]", "[supervisor]") {
  RestartDelay delay;
  CHECK(delay.next(1h) == 100ms);
  RestartDelay young;
  CHECK(young.next(0ms) == 100ms);
}

TEST_CASE("the delay of children that end soon grows up to a limit", "[supervisor]") {
  RestartDelay delay;
  auto before = delay.next(1ms);
  for (int i = 0; i < 20; ++i) {
    const auto now = delay.next(1ms);
    CHECK(now >= before);
    before = now;
  }
  CHECK(before == 1s);
}

TEST_CASE("the delay is short again after a child that ran for a while", "[supervisor]") {
  RestartDelay delay;
  for (int i = 0; i < 10; ++i) static_cast<void>(delay.next(1ms));
  CHECK(delay.next(10s) == 100ms);
  CHECK(delay.next(1ms) == 200ms);
}
