#include "reconciler/app/plan.hpp"

#include "reconciler/snapshots/plan.hpp"
#include "reconciler/volumes/plan.hpp"

namespace lvmd::reconciler {

Step plan(const LogicalVolume& desired, const VolumeObserved& volume,
          const SnapshotObserved& snapshot) {
  VolumeStep step = plan_volume(desired, volume, constrain_volume(desired, snapshot, volume));
  if (!std::holds_alternative<Yield>(step)) return step;
  return plan_snapshot(desired, snapshot, volume);
}

}  // namespace lvmd::reconciler
