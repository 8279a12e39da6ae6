// The newest state of each volume group. Every read is answered from here, without waiting for LVM
// [P-RUN-2].
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
#include "lvmd/volumes/service/response_cache.hpp"

namespace lvmd::volumes {

// Names of volumes that are being created and are not ready.
using HiddenVolumes = std::set<std::string, std::less<>>;

// Thread-safe. Objects from find() and group() are immutable: a later state is another object, so
// that one call reads from one moment [P-RUN-7].
class ReadModel {
 public:
  explicit ReadModel(const std::vector<std::string>& volume_groups);

  // Sets the groups. States of removed groups are dropped; new groups have no state yet.
  void set_volume_groups(const std::vector<std::string>& volume_groups);

  // Sets the callback for applied states. It runs on the thread that applied the state, without a
  // lock held. Set it before the first state.
  void on_change(std::function<void()> callback) { changed_ = std::move(callback); }

  // Applies the observer's state unless the model has one that was observed later: states of
  // observer and worker may arrive in any order. The seqno does not decide: vgcfgrestore may reduce
  // it. Drops the state of a group that is not configured.
  void apply(model::VgState state);

  // As apply(), for the worker's state. Drops it while the observer's last state is that the group
  // is unavailable: a worker reads only the group's own devices, and does not see conflicts with
  // other devices [P-STATE-1].
  void apply_from_worker(model::VgState state);

  // Null until the group's first state.
  [[nodiscard]] std::shared_ptr<const model::VgState> find(std::string_view volume_group) const;

  // The group, or Unavailable with the reason why it can't be used [P-STATE-1].
  [[nodiscard]] Result<std::shared_ptr<const model::VolumeGroup>> group(
      std::string_view volume_group) const;

  // Unavailable with the observer's reason while its last state is that the group can't be used.
  [[nodiscard]] Status check_available(std::string_view volume_group) const;

  // The pool's last known usage: a failed pool reports none. Absent: unknown.
  [[nodiscard]] std::optional<model::PoolUsage> last_usage(std::string_view volume_group,
                                                           std::string_view pool) const;

  // Replaces the list of hidden volumes of the group [P-INTENT-1]. Ignored for a group that is not
  // configured.
  void hide(std::string_view volume_group, const std::vector<std::string>& volumes);

  // A group and its hidden volumes at one moment.
  struct View {
    std::shared_ptr<const model::VolumeGroup> group;
    std::shared_ptr<const HiddenVolumes> hidden;
    // Responses that depend on nothing but the group, its hidden volumes and the key.
    std::shared_ptr<ResponseCache> responses;
  };
  // Errors as group().
  [[nodiscard]] Result<View> view(std::string_view volume_group) const;

  // Whether every group has a state, also one that the group does not exist.
  [[nodiscard]] bool is_complete() const;

 private:
  struct Slot {
    std::shared_ptr<const model::VgState> state;
    // `state` comes from the observer, and is an error.
    bool observed_unavailable = false;
    // The usage of the pools of `state`, by name.
    std::map<std::string, model::PoolUsage, std::less<>> last_usage;
    // As reported by the last reader that verified the copies.
    std::vector<std::string> damaged_copies;
    // As reported by the last reader that queried dmeventd.
    std::vector<std::string> unmonitored_pools;
    std::shared_ptr<const HiddenVolumes> hidden = std::make_shared<const HiddenVolumes>();
    // Of `state` and `hidden`: a change of either replaces it.
    std::shared_ptr<ResponseCache> responses = std::make_shared<ResponseCache>();
  };

  void apply(model::VgState state, bool from_observer);
  static void remember(Slot& slot, model::VolumeGroup& group);

  mutable std::mutex mutex_;
  std::map<std::string, Slot, std::less<>> slots_;
  std::function<void()> changed_;
};

}  // namespace lvmd::volumes
