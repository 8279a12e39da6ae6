// The status of an existing volume, and the look-up of its class.
#pragma once

#include <optional>

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/volumes/observed.hpp"
#include "reconciler/volumes/step.hpp"

namespace lvmd::reconciler {

// The status is written only when it differs [R-RUN-3].
[[nodiscard]] VolumeStep settle(const LogicalVolume& desired, VolumeStatus status);

// The volume exists with `size`, without a failure [R-CREATE-4, R-OBJ-25].
[[nodiscard]] VolumeStatus provisioned_status(const LogicalVolume& desired, Bytes size,
                                              Bytes wanted);

// The step that finds the device class, or its failure. Absent: the class is known.
[[nodiscard]] std::optional<VolumeStep> settle_class(const LogicalVolume& desired,
                                                     const VolumeObserved& observed);

}  // namespace lvmd::reconciler
