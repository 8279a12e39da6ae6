// Changes a volume group; no other code does. For each request it reads the state, plans, records
// the intent, runs LVM, and reads the state again.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/devmapper/uevent_listener.hpp"
#include "lvmd/lvm/lvm_runner.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/volumes/worker/event_sink.hpp"
#include "lvmd/volumes/worker/group_reader.hpp"
#include "lvmd/volumes/worker/intent_log.hpp"
#include "lvmd/volumes/worker/lvm_executor.hpp"
#include "lvmd/volumes/worker/metadata_backups.hpp"
#include "lvmd/volumes/worker/plan.hpp"
#include "lvmd/volumes/worker/repair.hpp"

namespace lvmd::volumes::worker {

// The result of a change, and the group's state after it, also after an error.
struct ChangeOutcome {
  // The volume after the change; absent after a removal.
  Result<std::optional<model::LogicalVolume>> volume;
  model::VgState state;
};

// One thread. Calls run to completion. A request that repeats a completed one changes nothing.
class VolumeGroupOwner {
 public:
  struct Setup {
    std::string volume_group;
    model::ClassCatalog catalog;
    // The command that runs the lvm program for the query of the group's devices.
    std::vector<std::string> lvm;
    // The lvm program, for its report.
    std::string lvm_path;
    IntentLog intents;
    // Records that the group's volumes have been activated since the boot.
    BootMark activated;
    devmapper::UeventListener uevents;
    // LVM runs in this process, so that the folders for copies of its metadata are this process's.
    bool lvm_is_library = true;
  };
  VolumeGroupOwner(Setup setup, lvm::LvmRunner& lvm, WorkerEventSink& events);

  // Sets the classes for the next requests [P-RELOAD-1].
  void set_catalog(model::ClassCatalog catalog) { catalog_ = std::move(catalog); }

  // Resumes the devices that an earlier worker left suspended (P-INTENT-4). Call before anything
  // that runs LVM.
  void resume();
  // The work between requests: finishes or undoes incomplete changes of an earlier worker
  // (P-INTENT-1), then checks lvmd's volumes (P-REPAIR-1). due() is the time until work() has
  // something to do; 0: now; absent: nothing before wake(). work() does one step, which takes about
  // as long as a request. It returns true if the state or hidden() may have changed.
  [[nodiscard]] std::optional<std::chrono::milliseconds> due() const;
  [[nodiscard]] bool work();
  // Call after the first state was sent. Takes as long as a process.
  void start_backups();
  // Completes the work that must not wait for the next worker. Call it before the worker ends.
  void finish();
  // Call when the group may have become usable. Makes open intents and the repair due again.
  void wake();

  // For poll(): readable if there are messages of kernel or udev. Then call receive_uevents().
  [[nodiscard]] int uevents_fd() const { return uevents_.fd(); }
  void receive_uevents() { udev_backlog_.update(); }

  [[nodiscard]] GroupReader& group() { return group_; }
  // The volumes that are hidden from clients.
  [[nodiscard]] std::vector<std::string> hidden() const { return intents_.hidden(); }

  [[nodiscard]] ChangeOutcome create(const CreateRequest& request);
  [[nodiscard]] ChangeOutcome snapshot(const SnapshotRequest& request);
  [[nodiscard]] ChangeOutcome resize(const ResizeRequest& request);
  [[nodiscard]] ChangeOutcome remove(const RemoveRequest& request);
  [[nodiscard]] ChangeOutcome change_tags(const TagsRequest& request);

 private:
  // Reads the group. Null if its metadata cannot be read natively.
  [[nodiscard]] MetadataBackups::Text read_text();
  [[nodiscard]] Result<std::string> read_backup_settings() const;
  // An error counts as lost events.
  [[nodiscard]] devmapper::BlockEvents drain_uevents();

  template <typename Request>
  using Planner = Result<Plan> (*)(const model::VolumeGroup&, const model::ClassCatalog&,
                                   const Request&);
  template <typename Request>
  [[nodiscard]] ChangeOutcome change(Planner<Request> planner, const Request& request);
  // Executes a plan that has commands. `state`: in, the state that was planned against; out, the
  // state after the change.
  [[nodiscard]] Status carry_out(const Plan& plan, model::VgState& state);
  // The same for a plan with one_commit.
  [[nodiscard]] Status commit(const Plan& plan, model::VgState& state);
  // The part of carry_out() that removes `lv`.
  [[nodiscard]] Status carry_out_removal(const Plan& plan, const model::LogicalVolume& lv,
                                         model::VgState& state);
  [[nodiscard]] Status finish(const Intent& intent, const model::VgState& after);

  // The reason why LVM refused the plan: a full metadata area or no space, as far as `group` and
  // Plan::smallest show it; otherwise `error`.
  [[nodiscard]] Error explain(const model::VolumeGroup& group, const Plan& plan, Error error);
  // Removes a new volume that could not be completed. Returns `cause`, with the error of the
  // removal if that failed too.
  [[nodiscard]] Error undo(const Intent& intent, Error cause);

  [[nodiscard]] Status begin(const Intent& intent);
  [[nodiscard]] Status end(const Intent& intent);

  // Settles the open intents. An intent that cannot be settled now stays open, its volume stays
  // hidden if it was, and the next change tries again (P-INTENT-2).
  void settle_open();
  void warn_once(const std::string& volume, const std::string& message);

  // resume_interrupted() with every open intent. Waits at most `lock_wait` for LVM's lock of the
  // group.
  [[nodiscard]] bool try_to_resume(std::chrono::milliseconds lock_wait);

  std::string volume_group_;
  model::ClassCatalog catalog_;
  WorkerEventSink& events_;
  // As in Setup.
  std::vector<std::string> lvm_;
  devmapper::UeventListener uevents_;
  GroupReader group_;
  MetadataBackups backups_;
  UdevScans scans_;
  UdevBacklog udev_backlog_;
  LvmExecutor executor_;
  IntentLog intents_;
  // The last try_to_resume() succeeded.
  bool resumed_ = false;
  // work() settles the open intents.
  bool settle_due_ = true;
  Repair repair_;
  // The last warning about a volume's intent, so that each is logged once.
  std::map<std::string, std::string> warned_;
};

}  // namespace lvmd::volumes::worker
