// Runs LVM commands: lvm_session.hpp with the library, lvm_program.hpp with the lvm program.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/lvm/lvm_command.hpp"

namespace lvmd::lvm {

// The exit code and the messages of an LVM command that ran.
struct LvmOutcome {
  // The exit code of lvm(8): 0 success, 3 wrong arguments, 5 failure, ...
  int exit_code = 0;
  // The lines that the command printed, including warnings, which begin with "WARNING".
  std::vector<std::string> printed{};
  // The error messages, oldest first.
  std::vector<std::string> errors{};

  [[nodiscard]] bool succeeded() const { return exit_code == 0; }
  // The errors on one line, for messages. With no error: the exit code.
  [[nodiscard]] std::string explanation() const;
};

class LvmRunner {
 public:
  LvmRunner() = default;
  LvmRunner(const LvmRunner&) = delete;
  LvmRunner& operator=(const LvmRunner&) = delete;
  virtual ~LvmRunner() = default;

  // Blocks until the command has ended; never interrupts it. An Error means that the command did
  // not run; a command that ran and failed returns an LvmOutcome. LvmCommand::settings() apply;
  // everything else comes from the host's lvm.conf.
  [[nodiscard]] virtual Result<LvmOutcome> run(const LvmCommand& command) = 0;
};

// With an empty `command_prefix`, uses the library, otherwise the program that the prefix names.
// `system_directory`: a path for the library's SystemDirectory. Internal when the library cannot be
// initialised; an Error if the folder cannot be created.
[[nodiscard]] Result<std::unique_ptr<LvmRunner>> open_runner(
    std::vector<std::string> command_prefix, const std::filesystem::path& system_directory);

// The command with its options, and with LvmCommand::settings() as `--config`.
[[nodiscard]] LvmCommand with_settings(const LvmCommand& command);

// Writes a command's warnings to the log, with priority debug.
void log_warnings(const LvmCommand& command, const LvmOutcome& outcome);

}  // namespace lvmd::lvm
