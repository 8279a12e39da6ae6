// Two mounters at one volume or one folder take turns.
#pragma once

#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::mounts::mounter {

// Takes flock(2)'s exclusive lock on what `fd` refers to, until that is closed. A holder that hangs
// in the kernel must not collect waiters [P-MOUNT-14]: after 10 s Aborted, naming `what`.
[[nodiscard]] Status lock(int fd, std::string_view what);

}  // namespace lvmd::mounts::mounter
