// Starts programs.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd {

enum class BlockedSignals {
  // The program starts with none blocked.
  kNone,
  // It keeps those that this process blocks: who stops this process doesn't stop the program.
  kKept,
};

// Starts `words`, the first of which is the program (searched in the administrator's and the
// system's folders), with /dev/null as input, `out` and `err` as outputs, no other descriptor, and
// nothing in its environment but PATH, LC_ALL=C and `more` ("NAME=value"). The caller waits for it.
// Internal when it can't be started, whatever the reason: a program that isn't there must not read
// as a thing that isn't.
[[nodiscard]] Result<pid_t> spawn(std::vector<std::string> words, int out, int err,
                                  BlockedSignals blocked, std::vector<std::string> more = {});

// Waits for a child's end; its wait status.
[[nodiscard]] Result<int> await_end(pid_t pid);

}  // namespace lvmd
