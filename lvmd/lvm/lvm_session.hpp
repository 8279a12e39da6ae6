// Runs LVM commands with the LVM library, in this process.
//
// liblvm2cmd is not designed for embedding: it keeps state between commands, changes umask, signal
// handlers, memory locks and locale, and has one log callback per process. So a process has one
// session, uses it from one thread, and does no other work that these changes would affect
// (docs/adr/0002).
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "lvmd/base/result.hpp"
#include "lvmd/lvm/lvm_runner.hpp"
#include "lvmd/lvm/system_directory.hpp"

namespace lvmd::lvm {

class LvmSession final : public LvmRunner {
 public:
  // Internal when the library cannot be initialised. At most one session per process at a time.
  // `directory`: the settings of commands are in its files. Without it, each command has them as
  // `--config`.
  [[nodiscard]] static Result<std::unique_ptr<LvmSession>> open(
      std::optional<SystemDirectory> directory = {});
  LvmSession(const LvmSession&) = delete;
  LvmSession& operator=(const LvmSession&) = delete;
  ~LvmSession() override;

  [[nodiscard]] Result<LvmOutcome> run(const LvmCommand& command) override;

 private:
  explicit LvmSession(std::optional<SystemDirectory> directory)
      : directory_(std::move(directory)) {}

  [[nodiscard]] Status open_library();

  std::optional<SystemDirectory> directory_;
  // nullptr after a command line that the library could not parse, until the next run().
  void* handle_ = nullptr;
};

}  // namespace lvmd::lvm
