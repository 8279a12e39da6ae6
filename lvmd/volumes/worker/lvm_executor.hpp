// Runs LVM commands for one volume group: reports each one, limits its wait for locks, and logs it.
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
#include "lvmd/volumes/worker/metadata_backups.hpp"
#include "lvmd/volumes/worker/udev_backlog.hpp"
#include "lvmd/volumes/worker/udev_scans.hpp"

namespace lvmd::volumes::worker {

class LvmExecutor {
 public:
  // `group` has the group's devices: a command reads no other device of the host (P-RUN-8).
  // `backups` writes the copies of the metadata for the commands (P-RUN-24). `scans` tells udev of
  // new volumes (P-CREATE-9).
  LvmExecutor(std::string volume_group, lvm::LvmRunner& lvm, WorkerEventSink& events,
              const GroupReader& group, MetadataBackups& backups, UdevScans& scans,
              UdevBacklog& udev_backlog)
      : volume_group_(std::move(volume_group)),
        lvm_(lvm),
        events_(events),
        group_(group),
        backups_(backups),
        scans_(scans),
        udev_backlog_(udev_backlog) {}

  // Internal, with LVM's messages, if the command failed. Aborted, with the holder, if another
  // program held the group's lock for too long. Unavailable if LVM cannot write the copies of its
  // metadata. `before_retry`: as for run_with_retry().
  [[nodiscard]] Status run(const lvm::LvmCommand& command,
                           const std::function<void()>& before_retry = {});
  // True if LVM accepts the command, which must have --test.
  [[nodiscard]] bool accepts(const lvm::LvmCommand& command);

  // Reports a step that is no LVM command, for example "blkid vg0/pvc-1". The supervisor kills a
  // worker that does not answer in time and has reported no step.
  [[nodiscard]] Announcement announce(std::string_view step, std::string_view volume,
                                      std::chrono::seconds limit) const;

  // Makes udev scan a new active volume when the worker rests. Call it when the volume is blank.
  void scan_later(const model::LogicalVolume& lv) { scans_.add(*lv.device, lv.path); }

  [[nodiscard]] UdevBacklog& udev_backlog() { return udev_backlog_; }

  [[nodiscard]] const std::string& volume_group() const { return volume_group_; }

  // "<vg>/<volume>", for LVM commands and messages.
  [[nodiscard]] std::string path(std::string_view volume) const;

 private:
  [[nodiscard]] lvm::LvmCommand restricted(lvm::LvmCommand command) const;

  std::string volume_group_;
  lvm::LvmRunner& lvm_;
  WorkerEventSink& events_;
  const GroupReader& group_;
  MetadataBackups& backups_;
  UdevScans& scans_;
  UdevBacklog& udev_backlog_;
};

}  // namespace lvmd::volumes::worker
