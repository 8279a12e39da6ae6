// Runs the programs that create and check file systems.
#pragma once

#include <string>
#include <vector>

#include "lvmd/base/process.hpp"
#include "lvmd/base/result.hpp"

namespace lvmd::probe {

struct ProgramResult {
  ExitStatus status;
  // The end of what the program wrote, as one line.
  std::string output;
};

// Runs a program to its end. FailedPrecondition when it is not installed. Blocks the calling
// thread for as long as the program runs. The program continues when the calling process dies.
[[nodiscard]] Result<ProgramResult> run_program(const std::vector<std::string>& arguments);

}  // namespace lvmd::probe
