// The reconciler's JSON merge patches. Each has the resourceVersion that was read, so that the API
// server answers 409 after a concurrent change, and no change is lost [R-KUBE-8, R-KUBE-9].
#pragma once

#include <string>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::kube {

// Adds the reconciler's finalizer, keeps the others, and adds its label and what was decided
// [R-ONLINE-2].
[[nodiscard]] std::string finalizer_patch(const LogicalVolume& object);

// Removes the reconciler's finalizer and keeps the others.
[[nodiscard]] std::string finalizer_removal_patch(const LogicalVolume& object);

// Sets the fields of VolumeStatus. Other status fields stay.
[[nodiscard]] std::string status_patch(const LogicalVolume& object, const VolumeStatus& status);

}  // namespace lvmd::reconciler::kube
