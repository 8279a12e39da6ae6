// A child process and its control channel.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/channel/channel.hpp"

namespace lvmd::supervisor {

struct Program {
  std::string path;
  // Without the program's own name; for ps(1).
  std::vector<std::string> arguments;
  // Runs in the child before its exec. An Error there ends the child with exit code 126.
  std::function<Status()> narrow;
};

struct Child {
  pid_t pid = 0;
  std::chrono::steady_clock::time_point started;
  channel::Channel control;
  bool ready = false;
};

// Starts `program` with one end of a new control channel as its standard input, stdout and stderr
// as ours, no other descriptor, and the signal mask empty. The caller is single-threaded.
[[nodiscard]] Result<Child> spawn(const Program& program);

}  // namespace lvmd::supervisor
