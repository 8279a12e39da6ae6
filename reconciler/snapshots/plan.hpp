// Which step an object's backup, its restore, or the deletion of its backup needs next: the flow
// around the states of status.snapshot (snapshots/snapshot_status.hpp). Rules: R-ONLINE-2 to
// R-ONLINE-10, R-ONLINE-13, R-ONLINE-14. Pure.
#pragma once

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/snapshots/observed.hpp"
#include "reconciler/snapshots/step.hpp"
#include "reconciler/volumes/observed.hpp"
#include "reconciler/volumes/snapshot_constraint.hpp"

namespace lvmd::reconciler {

// What the volume controller may do with the object's volume.
[[nodiscard]] SnapshotConstraint constrain_volume(const LogicalVolume& desired,
                                                  const SnapshotObserved& observed,
                                                  const VolumeObserved& volume);

// The next step after plan_volume() has answered Yield. A failed transfer is retried up to ten
// times when its cause is transient, a deletion without limit [R-ONLINE-6].
[[nodiscard]] Step plan_snapshot(const LogicalVolume& desired, const SnapshotObserved& observed,
                                 const VolumeObserved& volume);

}  // namespace lvmd::reconciler
