// Runs LVM commands for one volume group: announced, bounded in its wait for locks, logged.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/lvm/lvm_runner.hpp"
#include "lvmd/volumes/worker/announcement.hpp"
#include "lvmd/volumes/worker/event_sink.hpp"
#include "lvmd/volumes/worker/group_reader.hpp"

namespace lvmd::volumes::worker {

class LvmExecutor {
 public:
  // `group` has the devices of the group: a command looks at no other device on the host.
  LvmExecutor(std::string volume_group, lvm::LvmRunner& lvm, WorkerEventSink& events,
              const GroupReader& group)
      : volume_group_(std::move(volume_group)), lvm_(lvm), events_(events), group_(group) {}

  // Internal with LVM's words when the command failed; Aborted, naming the holder, when another
  // program kept the group's lock; Unavailable when LVM can't write the copies of its metadata.
  // `before_retry` as run_with_retry()'s.
  [[nodiscard]] Status run(const lvm::LvmCommand& command,
                           const std::function<void()>& before_retry = {});
  // Whether LVM accepts a command that changes nothing (--test).
  [[nodiscard]] bool accepts(const lvm::LvmCommand& command);

  // A step other than a command: "blkid vg0/pvc-1". Without it a worker that takes longer than its
  // heartbeat may is ended.
  [[nodiscard]] Announcement announce(std::string_view step, std::string_view volume,
                                      std::chrono::seconds limit) const;

  // "<vg>/<volume>", LVM's operand.
  [[nodiscard]] std::string path(std::string_view volume) const;

 private:
  [[nodiscard]] lvm::LvmCommand restricted(lvm::LvmCommand command) const;

  std::string volume_group_;
  lvm::LvmRunner& lvm_;
  WorkerEventSink& events_;
  const GroupReader& group_;
};

}  // namespace lvmd::volumes::worker
