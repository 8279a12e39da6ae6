// Which step an object's volume needs next.
#pragma once

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/volumes/observed.hpp"
#include "reconciler/volumes/snapshot_constraint.hpp"
#include "reconciler/volumes/step.hpp"

namespace lvmd::reconciler {

// The next step, by the first matching row of docs/reconciler.md, R-PLAN-*. Pure: no clock, no
// memory. Executing the step and planning again with its result ends in Nothing, or in Yield when
// online snapshots are enabled. The object must belong to this node (R-NODE-1): stores offer no
// others.
[[nodiscard]] VolumeStep plan_volume(const LogicalVolume& desired, const VolumeObserved& observed,
                                     const SnapshotConstraint& constraint = {});

}  // namespace lvmd::reconciler
