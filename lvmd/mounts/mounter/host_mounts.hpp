// The mounts that the whole host sees: those of PID 1.
#pragma once

#include "lvmd/base/result.hpp"

namespace lvmd::mounts::mounter {

// From here on this process sees, and makes, the host's mounts, and its root and working directory
// are the host's [P-MOUNT-1]. Nothing happens where it does so already. The caller is
// single-threaded.
[[nodiscard]] Status enter_host_mounts();

}  // namespace lvmd::mounts::mounter
