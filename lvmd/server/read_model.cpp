#include "lvmd/server/read_model.hpp"

#include <algorithm>
#include <utility>

#include "lvmd/base/log.hpp"

namespace lvmd::server {

ReadModel::ReadModel(const std::vector<std::string>& volume_groups) {
  for (const std::string& name : volume_groups) states_.emplace(name, nullptr);
}

void ReadModel::apply(model::VgState state) {
  {
    const std::lock_guard lock{mutex_};
    const auto slot = states_.find(state.name);
    if (slot == states_.end()) {
      log::warning(
          fmt::format("dropped a state of volume group {}: it is not configured", state.name),
          {{log::kVg, state.name}});
      return;
    }
    if (slot->second != nullptr && state.observed_at < slot->second->observed_at) return;
    slot->second = std::make_shared<const model::VgState>(std::move(state));
  }
  if (changed_) changed_();
}

std::shared_ptr<const model::VgState> ReadModel::find(std::string_view volume_group) const {
  const std::lock_guard lock{mutex_};
  const auto slot = states_.find(volume_group);
  return slot == states_.end() ? nullptr : slot->second;
}

Result<std::shared_ptr<const model::VolumeGroup>> ReadModel::group(
    std::string_view volume_group) const {
  const auto state = find(volume_group);
  if (state == nullptr)
    return fail(Code::kUnavailable, "volume group {} has not been read yet: try again",
                volume_group);
  if (!state->group) return std::unexpected(state->group.error());
  return std::shared_ptr<const model::VolumeGroup>{state, &*state->group};
}

bool ReadModel::is_complete() const {
  const std::lock_guard lock{mutex_};
  return std::ranges::all_of(states_, [](const auto& entry) { return entry.second != nullptr; });
}

}  // namespace lvmd::server
