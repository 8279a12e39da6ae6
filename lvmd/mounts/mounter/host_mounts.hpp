// The mount namespace of the host, which is that of PID 1.
#pragma once

#include "lvmd/base/result.hpp"

namespace lvmd::mounts::mounter {

// Enters the host's mount namespace: afterwards this process sees and makes the host's mounts, and
// its root and working directory are the host's [P-MOUNT-1]. Does nothing when the process is
// already in that namespace. The process must have a single thread.
[[nodiscard]] Status enter_host_mounts();

}  // namespace lvmd::mounts::mounter
