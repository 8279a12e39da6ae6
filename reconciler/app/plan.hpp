// Which step an object needs next.
#pragma once

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/snapshots/observed.hpp"
#include "reconciler/snapshots/step.hpp"
#include "reconciler/volumes/observed.hpp"

namespace lvmd::reconciler {

// The volume's next step or, when the volume needs nothing, the snapshot's. Pure. The object must
// belong to this node (R-NODE-1).
[[nodiscard]] Step plan(const LogicalVolume& desired, const VolumeObserved& volume,
                        const SnapshotObserved& snapshot);

}  // namespace lvmd::reconciler
