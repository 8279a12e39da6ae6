// The main function of the programs that lvmd starts.
#pragma once

#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::ipc {

struct Program {
  // "lvmd-worker": for --version, the log and ps(1).
  const char* name;
  // The output of --help.
  std::string_view help;
  // Set for a program that has a control channel as its standard input and no argument; who starts
  // it, for the message to others. Otherwise the first argument is for ps(1) only, such as a volume
  // group.
  std::string_view started_by{};
};

// Handles --help and --version, names the process, sets up heap and log, and calls `serve`. Returns
// the exit code: 0; 1 after it has logged the Error of `serve` or an exception; 2 after a message
// about an argument or the standard input.
[[nodiscard]] int run_main(int argc, const char* const* argv, const Program& program,
                           Status (*serve)());

}  // namespace lvmd::ipc
