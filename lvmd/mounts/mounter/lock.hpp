// Serializes mounters that use the same volume or directory.
#pragma once

#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::mounts::mounter {

// Takes the exclusive lock of flock(2) on the file that `fd` refers to. The lock is held until the
// descriptor is closed. Waits at most 10 s, then Aborted with `what` in the message: otherwise
// mounters would accumulate behind a holder that hangs in the kernel [P-MOUNT-14].
[[nodiscard]] Status lock(int fd, std::string_view what);

}  // namespace lvmd::mounts::mounter
