// The heart of the reconciler: which step an object needs next.
#pragma once

#include <optional>

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/plan/device_class.hpp"
#include "reconciler/plan/source.hpp"
#include "reconciler/plan/step.hpp"

namespace lvmd::reconciler {

// What lvmd and the store have told about the object's volume since planning for the object began.
// Empty at first: plan() asks for what it needs.
struct Observed {
  // The device classes of spec.vgName, once they were asked for.
  std::optional<Classes> classes{};
  // GetLVList was answered.
  bool looked_up = false;
  // The volume's real size, from whichever call told it; absent: no volume seen.
  std::optional<Bytes> size{};
  // The object of spec.source, once it was looked for.
  std::optional<Source> source{};
  // RemoveLV was answered OK or NOT_FOUND.
  bool removed = false;
  // The wish has changed since the status was written [R-FAIL-11].
  bool renewed = false;
};

// The next step, by the first matching row of docs/reconciler.md, R-PLAN-*. Pure: no clock, no
// memory. Executing the step and planning again with what it told ends in Nothing. The object must
// belong to this node (R-NODE-1): stores offer no others.
[[nodiscard]] Step plan(const LogicalVolume& desired, const Observed& observed);

}  // namespace lvmd::reconciler
