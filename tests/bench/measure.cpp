#include "tests/bench/measure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>

namespace lvmd::bench {
namespace {

constexpr int kTurn = 10;

Status run(const Step& step, int number, int times) {
  const Status done = step.run(number);
  if (done) return {};
  return fail(done.error().code, "{}, number {} of {}: {}", step.call, number + 1, times,
              describe(done.error()));
}

// The milliseconds that it took.
Result<double> timed(const Step& step, int number, int times) {
  const auto begin = std::chrono::steady_clock::now();
  if (auto done = run(step, number, times); !done) return std::unexpected(done.error());
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  return took.count();
}

}  // namespace

Status measure(const Step& step, int times) { return measure_in_turns({step}, times); }

Status measure_in_turns(const std::vector<Step>& steps, int times) {
  std::vector<std::vector<double>> taken(steps.size());
  for (int begin = 0; begin < times; begin += kTurn)
    for (std::size_t i = 0; i < steps.size(); ++i)
      for (int number = begin; number < std::min(begin + kTurn, times); ++number) {
        const auto result = timed(steps[i], number, times);
        if (!result) return std::unexpected(result.error());
        taken[i].push_back(*result);
      }
  for (std::size_t i = 0; i < steps.size(); ++i)
    fmt::print("{{\"call\": \"{}\", \"ms\": [{:.3f}]}}\n", steps[i].call,
               fmt::join(taken[i], ", "));
  static_cast<void>(std::fflush(stdout));
  return {};
}

Status repeat(const Step& step, int times) {
  for (int number = 0; number < times; ++number)
    if (auto done = run(step, number, times); !done) return done;
  return {};
}

}  // namespace lvmd::bench
