// Stages a CSI volume [P-CSI-30 to P-CSI-36].
#pragma once

#include <sys/types.h>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/kubelet_target.hpp"

namespace lvmd::mounts::mounter {

struct Owner {
  uid_t user = 0;
  gid_t group = 0;
};

// Gives the root directory of a file system the mode 2777 if it is still as mkfs made it: owned by
// root, mode 0755, and empty except for lost+found. `directory` is open for reading. `owner` is for
// tests. Idempotent.
[[nodiscard]] Status share_new_root(int directory, const Owner& owner = {});

// Mounts the file system of the volume at its staging target and returns the mount, which may have
// existed before. Of a raw block volume, only checks the device. Idempotent: when the process is
// killed at any step, a repeated call continues. Blocks the calling thread.
[[nodiscard]] Result<internal::Mounts> stage_volume(const internal::StageVolume& job,
                                                    const model::KubeletRoot& kubelet);

}  // namespace lvmd::mounts::mounter
