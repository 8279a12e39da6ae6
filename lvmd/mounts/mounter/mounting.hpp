// Mounting one volume [P-MOUNT-1 to P-MOUNT-9].
#pragma once

#include <span>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::mounts::mounter {

// The mount, made now or there already. Killed at any step, the same job again goes on
// [P-MOUNT-12]: the kernel's table and what is on the volume say how far it came.
[[nodiscard]] Result<internal::Mounts> mount_volume(const internal::MountVolume& job,
                                                    std::span<const std::string> roots);

}  // namespace lvmd::mounts::mounter
