// Times steps again and again, and tells the times to whoever started the program.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::bench {

// A call with the name under which its times are told; `run` gets 0, 1, 2, …
struct Step {
  std::string call;
  std::function<Status(int)> run;
};

// Runs the step so many times, one after the other, and prints one line of JSON on stdout, in
// milliseconds and in the order of the calls:
//   {"call": "CreateLV thick", "ms": [431.025, 428.311]}
// The first run that fails ends it: its Error, with the name and the number of the call, and
// nothing is printed.
[[nodiscard]] Status measure(const Step& step, int times);

// The same with several steps that take turns, so that a slower moment meets each of them: the
// first ten runs of each, the next ten of each, … (Turns of one call would measure processes that
// have slept meanwhile.) A line for each step, in their order.
[[nodiscard]] Status measure_in_turns(const std::vector<Step>& steps, int times);

// Without clock and output, for what must be done but isn't measured.
[[nodiscard]] Status repeat(const Step& step, int times);

}  // namespace lvmd::bench
