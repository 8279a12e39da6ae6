// The JSON merge patches that the reconciler sends. Each carries the resourceVersion that was read,
// so that a change by somebody else meanwhile answers 409 instead of being lost [R-KUBE-8,
// R-KUBE-9].
#pragma once

#include <string>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler::kube {

// Adds our finalizer, keeping the others, our label, and what was decided [R-ONLINE-2].
[[nodiscard]] std::string finalizer_patch(const LogicalVolume& volume);

// Removes our finalizer, keeping the others.
[[nodiscard]] std::string finalizer_removal_patch(const LogicalVolume& volume);

// Sets the fields of VolumeStatus; other status fields stay.
[[nodiscard]] std::string status_patch(const LogicalVolume& volume, const VolumeStatus& status);

}  // namespace lvmd::reconciler::kube
