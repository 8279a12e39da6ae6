// What comes next for an object's backup, its restore, or the deletion of its backup: the flow
// around the states of status.snapshot (plan/snapshot_status.hpp). Rules: R-ONLINE-3, R-ONLINE-5 to
// R-ONLINE-10. Pure.
#pragma once

#include <optional>

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/volumes/observed.hpp"
#include "reconciler/volumes/step.hpp"

namespace lvmd::reconciler {

// The next step of what status.snapshot, which is there, is about. A failure is tried again by
// itself ten times when its cause passes, a deletion for ever [R-ONLINE-6].
[[nodiscard]] Step plan_transfer(const LogicalVolume& desired, const Observed& observed);

// The next step for an object whose volume is there, after growth.
[[nodiscard]] Step plan_snapshot(const LogicalVolume& desired, const Observed& observed);

// What has to be done before the volume of an object may be removed; absent: nothing any more
// [R-ONLINE-8].
[[nodiscard]] std::optional<Step> plan_before_removal(const LogicalVolume& desired,
                                                      const Observed& observed);

}  // namespace lvmd::reconciler
