// The device of a volume, by the state that lvmd holds: what a mounter or a mover is told of.
#pragma once

#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/volumes/service/read_model.hpp"

namespace lvmd::volumes {

// NotFound when the class has no such volume, or it is hidden; the number is 0 while it is inactive
// [P-MOUNT-3].
[[nodiscard]] Result<internal::VolumeDevice> find_device(const ReadModel& read_model,
                                                         const model::DeviceClass& device_class,
                                                         const std::string& volume);

// FailedPrecondition, with what to do, for one that has no number.
[[nodiscard]] Status check_active(const internal::VolumeDevice& device);

}  // namespace lvmd::volumes
