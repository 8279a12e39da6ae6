// What the server asks a mounter to do, checked again by whoever has the right to do it.
#pragma once

#include <span>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"

namespace lvmd::mounts {

// The job with `roots` as its roots. InvalidArgument when it is none, or names a volume group that
// isn't one of `volume_groups`, a target outside of the roots, or a file system or option that
// isn't on the list. Pure.
[[nodiscard]] Result<internal::MountJob> checked_mount_job(
    const internal::MountJob& job, std::span<const std::string> roots,
    std::span<const std::string> volume_groups);

}  // namespace lvmd::mounts
