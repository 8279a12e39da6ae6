// Runs LVM commands with the LVM library, in this process.
//
// liblvm2cmd is not designed for embedding: it keeps state between commands, changes umask, signal
// handlers, memory locks and locale, and has one log callback per process. So a process has one
// session, uses it from one thread, and does no other work that these changes would affect
// (docs/adr/0002).
#pragma once

#include <memory>

#include "lvmd/base/result.hpp"
#include "lvmd/lvm/lvm_runner.hpp"

namespace lvmd::lvm {

class LvmSession final : public LvmRunner {
 public:
  // Internal when the library cannot be initialised. At most one session per process at a time.
  [[nodiscard]] static Result<std::unique_ptr<LvmSession>> open();
  LvmSession(const LvmSession&) = delete;
  LvmSession& operator=(const LvmSession&) = delete;
  ~LvmSession() override;

  [[nodiscard]] Result<LvmOutcome> run(const LvmCommand& command) override;

 private:
  explicit LvmSession(void* handle) : handle_(handle) {}

  // nullptr after a command line that the library could not parse, until the next run().
  void* handle_;
};

}  // namespace lvmd::lvm
