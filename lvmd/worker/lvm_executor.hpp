// Runs LVM commands for one volume group: announced, bounded in its wait for locks, logged.
#pragma once

#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/lvm/lvm_runner.hpp"
#include "lvmd/model/vg_access.hpp"
#include "lvmd/worker/listener.hpp"

namespace lvmd::worker {

class LvmExecutor {
 public:
  LvmExecutor(std::string volume_group, lvm::LvmRunner& lvm, Listener& listener)
      : volume_group_(std::move(volume_group)), lvm_(lvm), listener_(listener) {}

  // Internal with LVM's words when the command failed; Aborted, naming the holder, when another
  // program kept the group's lock.
  [[nodiscard]] Status run(const lvm::LvmCommand& command);
  // Whether LVM accepts a command that changes nothing (--test).
  [[nodiscard]] bool accepts(const lvm::LvmCommand& command);
  // How LVM gets at the group.
  [[nodiscard]] Result<model::VgAccess> access();

  // "<vg>/<volume>", LVM's operand.
  [[nodiscard]] std::string path(std::string_view volume) const;

 private:
  std::string volume_group_;
  lvm::LvmRunner& lvm_;
  Listener& listener_;
};

}  // namespace lvmd::worker
