// What is true of a volume that is there, and what is asked for before lvmd can be told of it.
#pragma once

#include <optional>

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/volumes/observed.hpp"
#include "reconciler/volumes/step.hpp"

namespace lvmd::reconciler {

// Status is written only when it differs [R-RUN-3].
[[nodiscard]] VolumeStep settle(const LogicalVolume& desired, VolumeStatus status);

// A volume of `size`, and nothing wrong with it [R-CREATE-4, R-OBJ-25].
[[nodiscard]] VolumeStatus provisioned_status(const LogicalVolume& desired, Bytes size,
                                              Bytes wanted);

// What is missing of the device class before lvmd can be told of the volume.
[[nodiscard]] std::optional<VolumeStep> settle_class(const LogicalVolume& desired,
                                                     const VolumeObserved& observed);

}  // namespace lvmd::reconciler
