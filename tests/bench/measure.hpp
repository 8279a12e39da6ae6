// Times a step again and again, and tells the times to whoever started the program.
#pragma once

#include <functional>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::bench {

// Runs step(0) to step(calls - 1), one after the other, and prints one line of JSON on stdout, in
// milliseconds and in the order of the calls:
//   {"call": "CreateLV thick", "ms": [431.025, 428.311]}
// The first step that fails ends it: its Error, with the name and the number of the call, and
// nothing is printed.
[[nodiscard]] Status measure(std::string_view call, int calls,
                             const std::function<Status(int)>& step);

// The same without clock and output, for what must be done but isn't measured.
[[nodiscard]] Status repeat(std::string_view what, int times,
                            const std::function<Status(int)>& step);

}  // namespace lvmd::bench
