#include "lvmd/ipc/state_stream.hpp"

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/ipc/convert.hpp"

namespace lvmd::ipc {
namespace {

using Volumes = std::vector<model::LogicalVolume>;

// Both lists are sorted by name.
internal::VolumeGroupChange difference(const model::VolumeGroup& before,
                                       const model::VolumeGroup& after) {
  internal::VolumeGroupChange change;
  internal::VolumeGroup& group = *change.mutable_volume_group();
  group = to_proto_without_volumes(after);
  auto old = before.logical_volumes.begin();
  const auto end = before.logical_volumes.end();
  for (const model::LogicalVolume& lv : after.logical_volumes) {
    for (; old != end && old->name < lv.name; ++old) change.add_removed(old->name);
    const bool is_known = old != end && old->name == lv.name;
    if (!is_known || *old != lv) *group.add_logical_volumes() = to_proto(lv);
    if (is_known) ++old;
  }
  for (; old != end; ++old) change.add_removed(old->name);
  return change;
}

// `changed` replaces the volumes of the same name. Both lists are sorted by name.
Volumes merge(Volumes before, Volumes changed) {
  Volumes merged;
  merged.reserve(before.size() + changed.size());
  auto old = before.begin();
  for (model::LogicalVolume& lv : changed) {
    for (; old != before.end() && old->name < lv.name; ++old) merged.push_back(std::move(*old));
    if (old != before.end() && old->name == lv.name) ++old;
    merged.push_back(std::move(lv));
  }
  for (; old != before.end(); ++old) merged.push_back(std::move(*old));
  return merged;
}

}  // namespace

internal::VgState StateWriter::write(model::VgState state) {
  if (!state.group || !last_) {
    internal::VgState frame = to_proto(state);
    if (state.group) last_ = *std::move(state.group);
    return frame;
  }
  internal::VgState frame;
  frame.set_name(state.name);
  frame.set_observed_at(state.observed_at.nanoseconds);
  *frame.mutable_change() = difference(*last_, *state.group);
  last_ = *std::move(state.group);
  return frame;
}

Result<model::VgState> StateReader::read(const internal::VgState& frame) {
  if (!frame.has_change()) {
    auto state = from_proto(frame);
    if (state && state->group) last_ = *state->group;
    return state;
  }
  auto group = apply(frame.change());
  if (!group) return std::unexpected(std::move(group.error()));
  if (group->name != frame.name())
    return fail(Code::kInvalidArgument, "the state of {} contains group {}", frame.name(),
                group->name);
  last_ = *std::move(group);
  return model::VgState{
      .name = frame.name(), .observed_at = {frame.observed_at()}, .group = *last_};
}

Result<model::VolumeGroup> StateReader::apply(const internal::VolumeGroupChange& change) {
  if (!last_) return fail(Code::kInvalidArgument, "a change without a group before it");
  auto group = from_proto(change.volume_group());
  if (!group) return group;
  std::set<std::string_view> removed{change.removed().begin(), change.removed().end()};
  Volumes before = std::exchange(last_->logical_volumes, {});
  std::erase_if(before,
                [&removed](const model::LogicalVolume& lv) { return removed.erase(lv.name) != 0; });
  if (!removed.empty())
    return fail(Code::kInvalidArgument, "a change removes volume {}, which does not exist",
                *removed.begin());
  group->logical_volumes = merge(std::move(before), std::move(group->logical_volumes));
  return group;
}

}  // namespace lvmd::ipc
