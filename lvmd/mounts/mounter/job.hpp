// From a job to its answer.
#pragma once

#include "internal/mount.pb.h"

namespace lvmd::mounts::mounter {

// Does the job in the mount namespace that this process is in. Whatever goes wrong is in the reply.
[[nodiscard]] internal::MountReply run_job(const internal::MountJob& job);

}  // namespace lvmd::mounts::mounter
