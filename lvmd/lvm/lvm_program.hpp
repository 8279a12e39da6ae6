// The external backend: each command runs the lvm program (P-EXT-1).
#pragma once

#include <string>
#include <vector>

#include "lvmd/lvm/lvm_runner.hpp"

namespace lvmd::lvm {

// Runs "<prefix> <the command's arguments>" without a shell; a program without a '/' is searched
// for in PATH. stdin is empty, LC_ALL=C, and only the standard descriptors are open. The program is
// never killed and can outlive this process: it writes to files, not to pipes that could break.
// LvmOutcome::printed is the program's stdout, LvmOutcome::errors its stderr; warnings count as
// printed, as in the library. One thread.
class LvmProgram final : public LvmRunner {
 public:
  // `prefix` is not empty.
  explicit LvmProgram(std::vector<std::string> prefix) : prefix_(std::move(prefix)) {}

  // Internal, with the program's name, if the program cannot be started. A program that a signal
  // terminated has failed with exit code 128 + signal, as in a shell.
  [[nodiscard]] Result<LvmOutcome> run(const LvmCommand& command) override;

 private:
  std::vector<std::string> prefix_;
};

}  // namespace lvmd::lvm
