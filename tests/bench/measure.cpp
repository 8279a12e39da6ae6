#include "tests/bench/measure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace lvmd::bench {

Status measure(std::string_view call, int calls, const std::function<Status(int)>& step) {
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(calls));
  const auto timed = [&](int number) -> Status {
    const auto begin = std::chrono::steady_clock::now();
    Status done = step(number);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    times.push_back(took.count());
    return done;
  };
  if (auto done = repeat(call, calls, timed); !done) return done;
  fmt::print("{{\"call\": \"{}\", \"ms\": [{:.3f}]}}\n", call, fmt::join(times, ", "));
  std::fflush(stdout);
  return {};
}

Status repeat(std::string_view what, int times, const std::function<Status(int)>& step) {
  for (int number = 0; number < times; ++number)
    if (const Status done = step(number); !done)
      return fail(done.error().code, "{}, number {} of {}: {}", what, number + 1, times,
                  describe(done.error()));
  return {};
}

}  // namespace lvmd::bench
