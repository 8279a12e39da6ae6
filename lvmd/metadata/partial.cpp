#include "lvmd/metadata/partial.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace lvmd::metadata {
namespace {

// LVM stacks only a few layers, except for chains of external origins. A damaged text could cause
// an unlimited recursion.
constexpr int kMaxLayers = 200;

class Visitor {
 public:
  explicit Visitor(VolumeGroupMetadata& group)
      : group_(group), visits_(group.logical_volumes.size(), Visit::kNone) {}

  Status visit(std::size_t index, int depth) {
    // An origin and its COW snapshots need each other, so the recursion must end here.
    if (visits_[index] != Visit::kNone) return {};
    visits_[index] = Visit::kBegun;
    LvMetadata& lv = group_.logical_volumes[index];
    if (depth > kMaxLayers)
      return fail(Code::kUnimplemented, "{}/{} is stacked on more than {} layers of volumes",
                  group_.name, lv.name, kMaxLayers);
    lv.partial = std::ranges::any_of(
        lv.on, [this](std::size_t pv) { return group_.physical_volumes[pv].missing; });
    for (const std::string& name : lv.needs) {
      const LvMetadata& other = *group_.find(name);
      const auto place = static_cast<std::size_t>(&other - group_.logical_volumes.data());
      if (auto visited = visit(place, depth + 1); !visited) return visited;
    }
    lv.partial = lv.partial || std::ranges::any_of(lv.needs, [this](const std::string& name) {
                   const LvMetadata& other = *group_.find(name);
                   const auto place =
                       static_cast<std::size_t>(&other - group_.logical_volumes.data());
                   return visits_[place] == Visit::kDone && other.partial;
                 });
    visits_[index] = Visit::kDone;
    return {};
  }

 private:
  enum class Visit : std::uint8_t { kNone, kBegun, kDone };

  VolumeGroupMetadata& group_;
  std::vector<Visit> visits_;
};

}  // namespace

Status mark_partial(VolumeGroupMetadata& group) {
  // Without a missing PV, no volume is partial.
  if (std::ranges::none_of(group.physical_volumes, &model::PhysicalVolume::missing)) return {};
  Visitor visitor{group};
  for (const std::size_t index : group.text_order)
    if (auto visited = visitor.visit(index, 0); !visited) return visited;
  return {};
}

}  // namespace lvmd::metadata
