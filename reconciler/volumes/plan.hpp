// The heart of the reconciler: which step an object needs next.
#pragma once

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/volumes/observed.hpp"
#include "reconciler/volumes/step.hpp"

namespace lvmd::reconciler {

// The next step, by the first matching row of docs/reconciler.md, R-PLAN-*. Pure: no clock, no
// memory. Executing the step and planning again with what it told ends in Nothing. The object must
// belong to this node (R-NODE-1): stores offer no others.
[[nodiscard]] Step plan(const LogicalVolume& desired, const Observed& observed);

}  // namespace lvmd::reconciler
