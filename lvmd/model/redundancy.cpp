#include "lvmd/model/redundancy.hpp"

#include <variant>

namespace lvmd::model {
namespace {

template <typename Condition>
std::vector<std::string> names_of(const VolumeGroup& group, const Condition& condition) {
  std::vector<std::string> names;
  for (const LogicalVolume& lv : group.logical_volumes)
    if (condition(lv)) names.push_back(lv.name);
  return names;
}

}  // namespace

std::optional<Redundancy> redundancy_of(const TargetStatus& target) {
  if (const auto* const raid = std::get_if<RaidStatus>(&target)) {
    if (raid->health.contains('D')) return Redundancy::kDegraded;
    return raid->health.contains('a') ? Redundancy::kOutOfSync : Redundancy::kInSync;
  }
  if (const auto* const mirror = std::get_if<MirrorStatus>(&target)) {
    if (mirror->leg_failed) return Redundancy::kDegraded;
    return mirror->regions_in_sync < mirror->regions ? Redundancy::kOutOfSync : Redundancy::kInSync;
  }
  return std::nullopt;
}

std::vector<std::string> degraded_volumes(const VolumeGroup& group) {
  return names_of(group, [](const LogicalVolume& lv) {
    if (lv.redundancy == Redundancy::kDegraded) return true;
    return lv.partial && (lv.is_visible() || lv.redundancy);
  });
}

std::vector<std::string> out_of_sync_volumes(const VolumeGroup& group) {
  return names_of(group, [](const LogicalVolume& lv) {
    return lv.redundancy == Redundancy::kOutOfSync && !lv.partial;
  });
}

}  // namespace lvmd::model
