#include "lvmd/volumes/service/read_model.hpp"

#include <algorithm>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/base/reason.hpp"

namespace lvmd::volumes {
namespace {

Result<std::shared_ptr<const model::VolumeGroup>> group_in(
    const std::shared_ptr<const model::VgState>& state, std::string_view volume_group) {
  if (state == nullptr)
    return fail(Code::kUnavailable, "volume group {} has not been read yet: try again",
                volume_group)
        .because(reason::kVolumeGroupUnavailable)
        .with(key::kVg, volume_group);
  if (!state->group) {
    Error why = state->group.error();
    if (why.reason.empty())
      why = std::move(why).because(reason::kVolumeGroupUnavailable).with(key::kVg, volume_group);
    return std::unexpected(std::move(why));
  }
  return std::shared_ptr<const model::VolumeGroup>{state, &*state->group};
}

}  // namespace

ReadModel::ReadModel(const std::vector<std::string>& volume_groups) {
  for (const std::string& name : volume_groups) slots_.try_emplace(name);
}

void ReadModel::set_volume_groups(const std::vector<std::string>& volume_groups) {
  const std::lock_guard lock{mutex_};
  std::erase_if(slots_, [&volume_groups](const auto& entry) {
    return std::ranges::find(volume_groups, entry.first) == volume_groups.end();
  });
  for (const std::string& name : volume_groups) slots_.try_emplace(name);
}

void ReadModel::apply(model::VgState state) { apply(std::move(state), true); }

void ReadModel::apply_from_worker(model::VgState state) { apply(std::move(state), false); }

void ReadModel::apply(model::VgState state, bool from_observer) {
  {
    const std::lock_guard lock{mutex_};
    const auto slot = slots_.find(state.name);
    if (slot == slots_.end()) {
      log::info(
          fmt::format("dropped a state of volume group {}, which is not configured", state.name),
          {{log::kVg, state.name}});
      return;
    }
    if (slot->second.state != nullptr && state.observed_at < slot->second.state->observed_at)
      return;
    if (slot->second.observed_unavailable && !from_observer) return;
    slot->second.observed_unavailable = from_observer && !state.group;
    if (state.group) remember(slot->second, *state.group);
    slot->second.state = std::make_shared<const model::VgState>(std::move(state));
    slot->second.responses = std::make_shared<ResponseCache>();
  }
  if (changed_) changed_();
}

void ReadModel::remember(Slot& slot, model::VolumeGroup& group) {
  if (group.copies.damaged)
    slot.damaged_copies = *group.copies.damaged;
  else
    group.copies.damaged = slot.damaged_copies;
  if (group.unmonitored_pools)
    slot.unmonitored_pools = *group.unmonitored_pools;
  else
    group.unmonitored_pools = slot.unmonitored_pools;
  const auto before = std::exchange(slot.last_usage, {});
  for (const model::LogicalVolume& lv : group.logical_volumes) {
    if (lv.role != model::LvRole::kThinPool) continue;
    if (lv.usage)
      slot.last_usage.emplace(lv.name, *lv.usage);
    else if (const auto known = before.find(lv.name); known != before.end())
      slot.last_usage.insert(*known);
  }
}

std::optional<model::PoolUsage> ReadModel::last_usage(std::string_view volume_group,
                                                      std::string_view pool) const {
  const std::lock_guard lock{mutex_};
  const auto slot = slots_.find(volume_group);
  if (slot == slots_.end()) return std::nullopt;
  const auto known = slot->second.last_usage.find(pool);
  return known == slot->second.last_usage.end() ? std::nullopt : std::optional{known->second};
}

Status ReadModel::check_available(std::string_view volume_group) const {
  {
    const std::lock_guard lock{mutex_};
    const auto slot = slots_.find(volume_group);
    if (slot == slots_.end() || !slot->second.observed_unavailable) return {};
  }
  if (const auto known = group(volume_group); !known) return std::unexpected(known.error());
  return {};
}

std::shared_ptr<const model::VgState> ReadModel::find(std::string_view volume_group) const {
  const std::lock_guard lock{mutex_};
  const auto slot = slots_.find(volume_group);
  return slot == slots_.end() ? nullptr : slot->second.state;
}

Result<std::shared_ptr<const model::VolumeGroup>> ReadModel::group(
    std::string_view volume_group) const {
  return group_in(find(volume_group), volume_group);
}

void ReadModel::hide(std::string_view volume_group, const std::vector<std::string>& volumes) {
  const std::lock_guard lock{mutex_};
  const auto slot = slots_.find(volume_group);
  if (slot == slots_.end()) return;
  slot->second.hidden = std::make_shared<const HiddenVolumes>(volumes.begin(), volumes.end());
  slot->second.responses = std::make_shared<ResponseCache>();
}

Result<ReadModel::View> ReadModel::view(std::string_view volume_group) const {
  // All are read under one lock: a reload may remove the group between two lookups.
  std::shared_ptr<const model::VgState> state;
  View view;
  {
    const std::lock_guard lock{mutex_};
    if (const auto slot = slots_.find(volume_group); slot != slots_.end()) {
      state = slot->second.state;
      view.hidden = slot->second.hidden;
      view.responses = slot->second.responses;
    }
  }
  auto group = group_in(state, volume_group);
  if (!group) return std::unexpected(std::move(group.error()));
  view.group = std::move(*group);
  return view;
}

bool ReadModel::is_complete() const {
  const std::lock_guard lock{mutex_};
  return std::ranges::all_of(slots_,
                             [](const auto& entry) { return entry.second.state != nullptr; });
}

}  // namespace lvmd::volumes
