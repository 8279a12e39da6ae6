// What lvmd knows of its volume groups: the newest state of each. Every read is answered from here,
// without waiting for LVM [P-RUN-2].
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::server {

// Thread-safe. What find() and group() give never changes: a later state is another object, so all
// that one call reads comes from one moment [P-RUN-7].
class ReadModel {
 public:
  explicit ReadModel(const std::vector<std::string>& volume_groups);

  // Called after every state that was taken, on the thread that brought it, without any lock held.
  // Set it before the first state comes.
  void on_change(std::function<void()> callback) { changed_ = std::move(callback); }

  // Takes the state unless one that was observed later is held already: states of observer and
  // worker may arrive in any order. A group that isn't configured is logged and dropped.
  void apply(model::VgState state);

  // Null until the group's first state has come.
  [[nodiscard]] std::shared_ptr<const model::VgState> find(std::string_view volume_group) const;

  // The group, or Unavailable with the reason why it can't be had [P-STATE-1].
  [[nodiscard]] Result<std::shared_ptr<const model::VolumeGroup>> group(
      std::string_view volume_group) const;

  // Every group has a state, be it that it doesn't exist.
  [[nodiscard]] bool is_complete() const;

 private:
  mutable std::mutex mutex_;
  // The keys never change.
  std::map<std::string, std::shared_ptr<const model::VgState>, std::less<>> states_;
  std::function<void()> changed_;
};

}  // namespace lvmd::server
