// Whether a class has the room that a request asks for.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/layout.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes::worker {

// For a new volume of `needed` bytes, by what available() tells clients, so that both agree
// (P-AVAIL). `option_class` may be null. ResourceExhausted naming both sizes; what makes space
// unknowable (a PV that is missing, a pool that is gone) is its own error.
[[nodiscard]] Status check_space(const model::VolumeGroup& group,
                                 const model::DeviceClass& device_class,
                                 const model::OptionClass* option_class, model::Bytes needed);

// For `growth` more bytes of a volume that lies as `layout` says.
[[nodiscard]] Status check_growth(const model::VolumeGroup& group,
                                  const model::DeviceClass& device_class,
                                  const model::Layout& layout, model::Bytes growth);

}  // namespace lvmd::volumes::worker
