// Taking mounts away [P-MOUNT-10, P-MOUNT-11].
#pragma once

#include <span>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::mounts::mounter {

// Those that went, with their folders where they are empty. FailedPrecondition, naming a process,
// at the first that is busy: it stays as it is, and so do those after it. The same job again goes
// on.
[[nodiscard]] Result<internal::Mounts> unmount(const internal::UnmountVolume& job,
                                               std::span<const std::string> roots);

}  // namespace lvmd::mounts::mounter
