// Runs a program to its end, for the one report that only LVM can make.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd {

struct ProgramOutput {
  std::string out;
  // Warnings, as the program succeeded. Without the newlines at their end.
  std::string errors;
};

// Runs `program` (a path) with `arguments`, stdin empty, LC_ALL=C, a fixed PATH and no other
// environment but `more` ("NAME=value"), and waits for it. Gives its output when it ends with
// 0 within `time_limit`; at the limit it is killed and DeadlineExceeded comes back. Any other
// end is Internal with the exit status and what the program printed as errors. Blocks the calling
// thread.
[[nodiscard]] Result<ProgramOutput> run_program(const std::string& program,
                                                std::span<const std::string> arguments,
                                                std::chrono::milliseconds time_limit,
                                                std::vector<std::string> more = {});

}  // namespace lvmd
