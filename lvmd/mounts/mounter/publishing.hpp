// Publishes a CSI volume to a pod [P-CSI-37 to P-CSI-40].
#pragma once

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/kubelet_target.hpp"

namespace lvmd::mounts::mounter {

// Makes the file system or the device of the volume visible at the target and returns the mount,
// which may have existed before. Stages a file system that is not staged (staging.hpp). Idempotent:
// when the process is killed at any step, a repeated call continues. Blocks the calling thread.
[[nodiscard]] Result<internal::Mounts> publish_volume(const internal::PublishVolume& job,
                                                      const model::KubeletRoot& kubelet);

}  // namespace lvmd::mounts::mounter
