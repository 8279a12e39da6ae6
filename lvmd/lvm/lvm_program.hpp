// The external backend: each command is a run of the lvm program (P-EXT-1).
#pragma once

#include <string>
#include <vector>

#include "lvmd/lvm/lvm_runner.hpp"

namespace lvmd::lvm {

// Runs <prefix> <command's arguments>, without a shell; a program without a '/' is looked for in
// PATH. stdin is empty, LC_ALL=C, no descriptor but the standard ones. The program is never killed,
// and it outlives this process unharmed: it writes to files, not to pipes that could break. What it
// prints on stdout is LvmOutcome::printed, on stderr its errors; warnings count as printed, as they
// do in the library. One thread.
class LvmProgram final : public LvmRunner {
 public:
  // `prefix` is not empty.
  explicit LvmProgram(std::vector<std::string> prefix) : prefix_(std::move(prefix)) {}

  // A program that can't be started is Internal naming it. One that a signal ended has failed, with
  // exit code 128 + signal as a shell has it.
  [[nodiscard]] Result<LvmOutcome> run(const LvmCommand& command) override;

 private:
  std::vector<std::string> prefix_;
};

}  // namespace lvmd::lvm
