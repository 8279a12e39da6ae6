// What lvmd knows of its volume groups: the newest state of each. Every read is answered from here,
// without waiting for LVM [P-RUN-2].
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes {

// Names of volumes that are being made and aren't ready.
using HiddenVolumes = std::set<std::string, std::less<>>;

// Thread-safe. What find() and group() give never changes: a later state is another object, so all
// that one call reads comes from one moment [P-RUN-7].
class ReadModel {
 public:
  explicit ReadModel(const std::vector<std::string>& volume_groups);

  // The groups from now on: states of others are dropped, new ones have none yet.
  void set_volume_groups(const std::vector<std::string>& volume_groups);

  // Called after every state that was taken, on the thread that brought it, without any lock held.
  // Set it before the first state comes.
  void on_change(std::function<void()> callback) { changed_ = std::move(callback); }

  // Takes the observer's state unless one that was observed later is held already: states of
  // observer and worker may arrive in any order. The state of a group that isn't configured (any
  // more) is dropped.
  void apply(model::VgState state);

  // As apply(), for the worker's state. It is dropped while the observer's last state is that the
  // group is unavailable: a worker looks at the group's own devices alone, and does not see what
  // stands against their use [P-STATE-1].
  void apply_from_worker(model::VgState state);

  // Null until the group's first state has come.
  [[nodiscard]] std::shared_ptr<const model::VgState> find(std::string_view volume_group) const;

  // The group, or Unavailable with the reason why it can't be had [P-STATE-1].
  [[nodiscard]] Result<std::shared_ptr<const model::VolumeGroup>> group(
      std::string_view volume_group) const;

  // Unavailable with the observer's reason while its last state is that the group can't be had.
  [[nodiscard]] Status check_available(std::string_view volume_group) const;

  // How full the pool was when the kernel told last: a failed pool has no usage. Absent while that
  // is unknown.
  [[nodiscard]] std::optional<model::PoolUsage> last_usage(std::string_view volume_group,
                                                           std::string_view pool) const;

  // The volumes of a group that nobody may see from now on [P-INTENT-1]; replaces the earlier list.
  // A group that isn't configured is ignored.
  void hide(std::string_view volume_group, const std::vector<std::string>& volumes);

  // A group and what of it must not be seen, from one moment.
  struct View {
    std::shared_ptr<const model::VolumeGroup> group;
    std::shared_ptr<const HiddenVolumes> hidden;
  };
  // As group().
  [[nodiscard]] Result<View> view(std::string_view volume_group) const;

  // Every group has a state, be it that it doesn't exist.
  [[nodiscard]] bool is_complete() const;

 private:
  struct Slot {
    std::shared_ptr<const model::VgState> state;
    // `state` is the observer's, and an error.
    bool observed_unavailable = false;
    // Of the pools of `state`, by their names.
    std::map<std::string, model::PoolUsage, std::less<>> last_usage;
    // By the last reader that verified them.
    std::vector<std::string> damaged_copies;
    // By the last reader that asked.
    std::vector<std::string> unmonitored_pools;
    std::shared_ptr<const HiddenVolumes> hidden = std::make_shared<const HiddenVolumes>();
  };

  void apply(model::VgState state, bool from_observer);
  static void remember(Slot& slot, model::VolumeGroup& group);

  mutable std::mutex mutex_;
  std::map<std::string, Slot, std::less<>> slots_;
  std::function<void()> changed_;
};

}  // namespace lvmd::volumes
