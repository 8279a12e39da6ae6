// Runs one program of the transfer under supervision.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/transfers/mover/capabilities.hpp"
#include "lvmd/transfers/mover/restic_command.hpp"
#include "lvmd/transfers/mover/step_result.hpp"
#include "lvmd/transfers/mover/supervision.hpp"

namespace lvmd::transfers::mover {

struct Program {
  CommandLine command;
  Capabilities capabilities = 0;
  // Descriptors that the program inherits under their own numbers, in addition to the first three.
  std::vector<int> inherited;
  // Receives standard output in pieces, in order. A returned failure stops the program.
  std::function<std::optional<TransferFailure>(std::string_view)> on_output;
  // Receives each line of standard error without its line break. A returned failure stops the
  // program.
  std::function<std::optional<TransferFailure>(std::string_view)> on_error_line;
  // Returns the next bytes for standard input. An empty string closes it. Not set: standard input
  // is /dev/null.
  std::function<StepResult<std::string>()> input;
  // The program reports no progress: bytes that it reads count as progress instead.
  bool silent = false;
};

// Runs the program and returns its exit code, or the negated number of the signal that ended it. A
// failure from the supervision or from a handler stops the program: with SIGINT, so that restic
// removes its lock, and with SIGKILL 8 s later. The program has ended when this function returns;
// the kernel kills it when this process ends.
[[nodiscard]] StepResult<int> run(const Program& program, Supervision& supervision);

}  // namespace lvmd::transfers::mover
