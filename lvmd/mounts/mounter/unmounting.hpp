// Removes mounts [P-MOUNT-10, P-MOUNT-11, P-CSI-41, P-CSI-42].
#pragma once

#include <span>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/kubelet_target.hpp"

namespace lvmd::mounts::mounter {

// Unmounts the target, or all mounts of the volume, removes their directories if they are empty,
// and returns the removed mounts. FailedPrecondition, with the name of a process, at the first
// mount that is busy; that mount and those after it stay. Idempotent: a repeated job continues.
[[nodiscard]] Result<internal::Mounts> unmount(const internal::UnmountVolume& job,
                                               std::span<const std::string> roots);

// Unmounts everything that is mounted at the target, removes its directory or file if the driver
// made it, and returns the removed mounts. A busy mount: as above. Idempotent. Blocks the calling
// thread.
[[nodiscard]] Result<internal::Mounts> unmount(const model::KubeletTarget& target,
                                               const model::KubeletRoot& kubelet);

}  // namespace lvmd::mounts::mounter
