// Runs one program of the transfer, watched.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/transfers/mover/capabilities.hpp"
#include "lvmd/transfers/mover/step_result.hpp"
#include "lvmd/transfers/mover/restic_command.hpp"
#include "lvmd/transfers/mover/supervision.hpp"

namespace lvmd::transfers::mover {

struct Program {
  CommandLine command;
  Capabilities capabilities = 0;
  // Descriptors that it inherits under their own numbers, besides the first three.
  std::vector<int> inherited;
  // Gets standard output in pieces, in the program's order. An TransferFailure stops the program.
  std::function<std::optional<TransferFailure>(std::string_view)> on_output;
  // Gets each line of standard error, without its end. An TransferFailure stops the program.
  std::function<std::optional<TransferFailure>(std::string_view)> on_error_line;
  // The next bytes of its standard input; empty: it is closed. Not set: /dev/null.
  std::function<StepResult<std::string>()> input;
  // It says nothing of its progress: that it reads counts as moving.
  bool silent = false;
};

// The program's exit code, or a signal's number, negated. An TransferFailure of the supervision or of a
// handler has stopped it: by SIGINT, so that restic takes its lock away, and SIGKILL 8 s later.
// When this returns the program is gone; it goes when this process does, too.
[[nodiscard]] StepResult<int> run(const Program& program, Supervision& supervision);

}  // namespace lvmd::transfers::mover
