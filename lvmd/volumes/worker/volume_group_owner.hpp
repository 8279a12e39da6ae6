// The one place that changes a volume group: state, plan, intent, LVM, state again.
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
#include "lvmd/lvm/lvm_runner.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/volumes/worker/group_reader.hpp"
#include "lvmd/volumes/worker/intent_log.hpp"
#include "lvmd/volumes/worker/listener.hpp"
#include "lvmd/volumes/worker/lvm_executor.hpp"
#include "lvmd/volumes/worker/plan.hpp"
#include "lvmd/volumes/worker/repair.hpp"

namespace lvmd::volumes::worker {

// What a call leaves: its result, and the group after it, whatever the result.
struct Outcome {
  // The volume as it is now. A removal has none.
  Result<std::optional<model::LogicalVolume>> volume;
  model::VgState state;
};

// One thread. Calls run to their end; a request that repeats a finished one changes nothing.
class VolumeGroupOwner {
 public:
  struct Setup {
    std::string volume_group;
    model::ClassCatalog catalog;
    // How LVM's program is run, to ask for the group's devices.
    std::vector<std::string> lvm;
    // The lvm program, for its report.
    std::string lvm_path;
    IntentLog intents;
    // The volumes of the group have been activated since the boot.
    BootMark activated;
  };
  VolumeGroupOwner(Setup setup, lvm::LvmRunner& lvm, Listener& listener);

  // The classes from the next request on [P-RELOAD-1].
  void set_catalog(model::ClassCatalog catalog) { catalog_ = std::move(catalog); }

  // Before anything else is asked of LVM: resumes what a predecessor left suspended.
  void resume();
  // What is to be done between requests: what a predecessor left half done is finished or undone
  // (P-INTENT-1), and it is looked whether every volume of ours is as it should be (P-REPAIR-1).
  // due() says when there is something: at once, later, or not before wake(). work() does one
  // thing, which takes about as long as a request does, and tells whether the state or hidden()
  // changed.
  [[nodiscard]] std::optional<std::chrono::milliseconds> due() const;
  [[nodiscard]] bool work();
  // The group may have come, or may be free for what could not be settled.
  void wake();

  [[nodiscard]] GroupReader& group() { return group_; }
  // The volumes that nobody may see.
  [[nodiscard]] std::vector<std::string> hidden() const { return intents_.hidden(); }

  [[nodiscard]] Outcome create(const CreateRequest& request);
  [[nodiscard]] Outcome snapshot(const SnapshotRequest& request);
  [[nodiscard]] Outcome resize(const ResizeRequest& request);
  [[nodiscard]] Outcome remove(const RemoveRequest& request);
  [[nodiscard]] Outcome change_tags(const TagsRequest& request);

 private:
  template <typename Request>
  using Planner = Result<Plan> (*)(const model::VolumeGroup&, const model::ClassCatalog&,
                                   const Request&);
  template <typename Request>
  [[nodiscard]] Outcome change(Planner<Request> planner, const Request& request);
  // Carries out a plan that has something to do. The group's state after it is in `after`.
  [[nodiscard]] Status carry_out(const Plan& plan, model::VgState& after);
  // The same for a plan that is one commit of LVM.
  [[nodiscard]] Status commit(const Plan& plan, model::VgState& after);
  // The same for a removal of `lv`.
  [[nodiscard]] Status carry_out_removal(const Plan& plan, const model::LogicalVolume& lv,
                                         model::VgState& after);
  [[nodiscard]] Status finish(const Intent& intent, const model::VgState& after);

  // Why LVM refused in `group`: no room for the text, no space, as far as the group's state and
  // Plan::smallest can tell, else `error` as it is.
  [[nodiscard]] Error explain(const model::VolumeGroup& group, const Plan& plan, Error error);
  // Removes the new volume that could not be made whole.
  [[nodiscard]] Error undo(const Intent& intent, Error cause);

  [[nodiscard]] Status begin(const Intent& intent);
  [[nodiscard]] Status end(const Intent& intent);

  // Settles the open intents. What can't be settled now stays open, and hidden if it was, and is
  // tried again with the next change.
  void settle_open();
  void tell_once(const std::string& volume, const std::string& message);

  // As resume_interrupted(), with every open intent. Waits for LVM's lock of the group at most so
  // long.
  [[nodiscard]] bool try_to_resume(std::chrono::milliseconds patience);

  std::string volume_group_;
  model::ClassCatalog catalog_;
  Listener& listener_;
  GroupReader group_;
  LvmExecutor executor_;
  IntentLog intents_;
  // What a predecessor may have left suspended has been resumed.
  bool resumed_ = false;
  // The open intents are to be looked at when nothing else is to be done.
  bool settle_due_ = true;
  Repair repair_;
  // What has been told about intents that can't be settled, by volume: told once.
  std::map<std::string, std::string> told_;
};

}  // namespace lvmd::volumes::worker
