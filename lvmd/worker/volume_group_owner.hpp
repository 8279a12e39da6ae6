// The one place that changes a volume group: state, plan, LVM, state again.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/lvm/lvm_session.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/state/vg_reader.hpp"
#include "lvmd/worker/plan.hpp"

namespace lvmd::worker {

// What a call leaves: its result, and the group after it, whatever the result.
struct Outcome {
  // The volume as it is now. A removal has none.
  Result<std::optional<model::LogicalVolume>> volume;
  model::VgState state;
};

// Told around every LVM command: its summary when it starts, "" when it has ended.
using CommandObserver = std::function<void(std::string_view command)>;

// One thread. Calls run to their end; a request that repeats a finished one changes nothing.
class VolumeGroupOwner {
 public:
  VolumeGroupOwner(std::string volume_group, model::ClassCatalog catalog, std::string lvm_path,
                   lvm::LvmRunner& lvm, CommandObserver on_command);

  // The devices that LVM uses for the group, asked now (P-STATE-3).
  [[nodiscard]] Result<std::vector<std::string>> refresh_devices();
  // The devices as last asked for.
  [[nodiscard]] const Result<std::vector<std::string>>& devices() const { return devices_; }

  // Reads the group: its header only, when nothing changed.
  [[nodiscard]] model::VgState read();

  [[nodiscard]] Outcome create(const CreateRequest& request);
  [[nodiscard]] Outcome snapshot(const SnapshotRequest& request);
  [[nodiscard]] Outcome resize(const ResizeRequest& request);
  [[nodiscard]] Outcome remove(const RemoveRequest& request);

 private:
  template <typename Request>
  using Planner = Result<Plan> (*)(const model::VolumeGroup&, const model::ClassCatalog&,
                                   const Request&);
  template <typename Request>
  [[nodiscard]] Outcome change(Planner<Request> planner, const Request& request);

  // Runs the plan's commands; undoes a new volume that did not come to be whole.
  [[nodiscard]] Status carry_out(const Plan& plan, std::string_view name);
  // One command, tried again for a while when another program holds the group's lock.
  [[nodiscard]] Status run(const lvm::LvmCommand& command);
  // Why LVM refused: no space, as far as `smallest` can tell, else `error` as it is.
  [[nodiscard]] Error explain(const Plan& plan, Error error);
  [[nodiscard]] Error undo(std::string_view name, Error cause);
  // The new volume's node exists and shows nothing of what its extents held before.
  [[nodiscard]] Status make_blank(std::string_view name);
  [[nodiscard]] Status check_unused(std::string_view name);

  std::string volume_group_;
  model::ClassCatalog catalog_;
  lvm::LvmRunner& lvm_;
  CommandObserver on_command_;
  state::VgReader reader_;
  Result<std::vector<std::string>> devices_;
};

}  // namespace lvmd::worker
