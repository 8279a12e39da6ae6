// Mounts one volume [P-MOUNT-1 to P-MOUNT-9].
#pragma once

#include <span>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::mounts::mounter {

// Mounts the volume and returns the mount, which may have existed before. Idempotent: when the
// process is killed at any step, a repeated call continues from the mount table and the content of
// the volume [P-MOUNT-12].
[[nodiscard]] Result<internal::Mounts> mount_volume(const internal::MountVolume& job,
                                                    std::span<const std::string> roots);

}  // namespace lvmd::mounts::mounter
