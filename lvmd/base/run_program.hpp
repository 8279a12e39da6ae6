// Runs a program to its end and returns its output.
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd {

struct ProgramOutput {
  std::string out;
  // The standard error of a program that succeeded: warnings, without trailing newlines.
  std::string errors;
};

// Runs `program` with `arguments`, an empty input and minimal_environment() extended by
// `environment` ("NAME=value"), and waits for it. Returns its output when it exits with code 0
// within `time_limit`. At the limit kills it: DeadlineExceeded. Internal, with the exit status and
// the standard error, for any other end, and with the reason when it cannot be started. Blocks the
// calling thread; may be called from any thread.
[[nodiscard]] Result<ProgramOutput> run_program(const std::string& program,
                                                std::span<const std::string> arguments,
                                                std::chrono::milliseconds time_limit,
                                                std::vector<std::string> environment = {});

}  // namespace lvmd
