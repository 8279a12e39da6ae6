// The LVM library, in this process.
//
// liblvm2cmd is not made for embedding: it keeps state between commands, changes umask, signals,
// memory locks and locale, and has one log callback per process. So one process holds one session,
// uses it from one thread, and does nothing else that those would hurt (docs/adr/0002).
#pragma once

#include <memory>

#include "lvmd/base/result.hpp"
#include "lvmd/lvm/lvm_runner.hpp"

namespace lvmd::lvm {

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

  // nullptr between a command line that the library refused and the next one.
  void* handle_;
};

}  // namespace lvmd::lvm
