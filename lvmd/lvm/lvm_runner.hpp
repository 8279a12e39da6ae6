// Running LVM commands, whichever way: lvm_session.hpp uses the library, lvm_program.hpp the lvm
// program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/lvm/lvm_command.hpp"

namespace lvmd::lvm {

// What a command left behind, besides the state of the group.
struct LvmOutcome {
  // As the lvm command exits: 0 done, 3 wrong arguments, 5 failed, ...
  int exit_code = 0;
  // What the command printed for its user, warnings (they begin with "WARNING") included.
  std::vector<std::string> printed{};
  // Its error messages, oldest first.
  std::vector<std::string> errors{};

  [[nodiscard]] bool succeeded() const { return exit_code == 0; }
  // The errors on one line, for a person; says so when there are none.
  [[nodiscard]] std::string explanation() const;
};

class LvmRunner {
 public:
  LvmRunner() = default;
  LvmRunner(const LvmRunner&) = delete;
  LvmRunner(LvmRunner&&) = delete;
  LvmRunner& operator=(const LvmRunner&) = delete;
  LvmRunner& operator=(LvmRunner&&) = delete;
  virtual ~LvmRunner() = default;

  // Blocks until the command has ended; never interrupts it. An Error means that it did not run; a
  // command that ran and failed is an LvmOutcome. Settings that lvmd relies on (locks aren't waited
  // for, monitoring is on) are added to every command; all else is the host's lvm.conf.
  [[nodiscard]] virtual Result<LvmOutcome> run(const LvmCommand& command) = 0;
};

// The library when `command_prefix` is empty, else the program that it names. Internal when the
// library doesn't come up.
[[nodiscard]] Result<std::unique_ptr<LvmRunner>> open_runner(
    std::vector<std::string> command_prefix);

// The command with those settings: what a runner hands to LVM.
[[nodiscard]] LvmCommand with_settings(LvmCommand command);

// Keeps a command's warnings in the log, for debugging.
void log_warnings(const LvmCommand& command, const LvmOutcome& outcome);

}  // namespace lvmd::lvm
