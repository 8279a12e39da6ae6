// Executes a mount job.
#pragma once

#include "internal/mount.pb.h"

namespace lvmd::mounts::mounter {

// Executes the job in the mount namespace of this process. The reply contains the result or the
// error. Blocks the calling thread.
[[nodiscard]] internal::MountReply run_job(const internal::MountJob& job);

}  // namespace lvmd::mounts::mounter
