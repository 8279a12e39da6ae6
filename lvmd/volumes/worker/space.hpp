// Checks that a class has the space that a request needs. Pure.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/layout.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes::worker {

// For a new volume of `needed` bytes. Uses available(), as GetFreeBytes does, so both agree
// (P-AVAIL). `option_class` may be null. ResourceExhausted, with both sizes, if the space is
// insufficient. If the space is unknown (a PV is missing, a pool does not exist), the error of
// available().
[[nodiscard]] Status check_space(const model::VolumeGroup& group,
                                 const model::DeviceClass& device_class,
                                 const model::OptionClass* option_class, model::Bytes needed);

// The same for growing a volume with `layout` by `growth` bytes.
[[nodiscard]] Status check_growth(const model::VolumeGroup& group,
                                  const model::DeviceClass& device_class,
                                  const model::Layout& layout, model::Bytes growth);

}  // namespace lvmd::volumes::worker
