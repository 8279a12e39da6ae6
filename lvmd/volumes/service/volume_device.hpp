// The device of a volume in the read model, for mounters and movers.
#pragma once

#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/volumes/service/read_model.hpp"

namespace lvmd::volumes {

// The device of a volume of the group. The device number is 0 while the volume is inactive. The
// uuid tells the volume from another one that got its name later.
[[nodiscard]] internal::VolumeDevice device_of(const model::VolumeGroup& group,
                                               const model::LogicalVolume& lv);

// NotFound when the class has no such volume, or the volume is hidden [P-MOUNT-3].
[[nodiscard]] Result<internal::VolumeDevice> find_device(const ReadModel& read_model,
                                                         const model::DeviceClass& device_class,
                                                         const std::string& volume);

// FailedPrecondition, saying what to do, when the device has no number.
[[nodiscard]] Status check_active(const internal::VolumeDevice& device);

}  // namespace lvmd::volumes
