// Checks the server's jobs for mounters again, in the process that starts the mounters.
#pragma once

#include <span>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::mounts {

// The job with `roots` as its roots. InvalidArgument if it has no operation, or names a volume
// group that is not in `volume_groups`, a target outside the roots, or a file system or option that
// lvmd does not support. Pure.
[[nodiscard]] Result<internal::MountJob> checked_mount_job(
    const internal::MountJob& job, std::span<const std::string> roots,
    std::span<const std::string> volume_groups);

}  // namespace lvmd::mounts
