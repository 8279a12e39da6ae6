// The LVM library, in this process.
//
// liblvm2cmd is not made for embedding: it keeps state between commands, changes umask, signals,
// memory locks and locale, and has one log callback per process. So one process holds one session,
// uses it from one thread, and does nothing else that those would hurt (docs/adr/0002).
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
  std::vector<std::string> printed;
  // Its error messages, oldest first.
  std::vector<std::string> errors;

  [[nodiscard]] bool succeeded() const { return exit_code == 0; }
  // The errors on one line, for a person; says so when there are none.
  [[nodiscard]] std::string explanation() const;
};

// Runs LVM commands. An interface, because the external backend runs the lvm program instead.
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

class LvmSession final : public LvmRunner {
 public:
  // Internal when the library doesn't come up. At most one per process at a time.
  [[nodiscard]] static Result<std::unique_ptr<LvmSession>> open();
  LvmSession(const LvmSession&) = delete;
  LvmSession(LvmSession&&) = delete;
  LvmSession& operator=(const LvmSession&) = delete;
  LvmSession& operator=(LvmSession&&) = delete;
  ~LvmSession() override;

  [[nodiscard]] Result<LvmOutcome> run(const LvmCommand& command) override;

 private:
  explicit LvmSession(void* handle) : handle_(handle) {}

  void* handle_;
};

}  // namespace lvmd::lvm
