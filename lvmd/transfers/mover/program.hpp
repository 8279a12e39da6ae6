// Runs programs of the transfer under supervision.
#pragma once

#include <functional>
#include <optional>
#include <span>
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
  // Receives the exit code, or the negated number of the signal that ended the program. A returned
  // failure stops the other programs.
  std::function<std::optional<TransferFailure>(int)> on_exit;
  // The program reports no progress: bytes that it reads count as progress instead.
  bool silent = false;
};

// Runs the programs at the same time, until all have ended. A failure from the supervision or from
// a handler stops all of them: with SIGINT, so that restic removes its lock, and with SIGKILL 8 s
// later. All programs have ended when this function returns; the kernel kills them when this
// process ends. Handlers run on the calling thread.
[[nodiscard]] StepResult<void> run(std::span<const Program> programs, Supervision& supervision);

}  // namespace lvmd::transfers::mover
