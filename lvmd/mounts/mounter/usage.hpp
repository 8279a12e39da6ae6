// How full the file system of a volume is, and in which condition [P-MOUNT-18, P-MOUNT-19,
// P-CSI-43].
#pragma once

#include <sys/statvfs.h>

#include <span>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/kubelet_target.hpp"

namespace lvmd::mounts::mounter {

// Fills in bytes and inodes as df(1) shows them to a user without privileges. A file system without
// a fixed number of inodes, such as btrfs, gets none. Pure.
void fill_in_capacity(const struct statvfs& status, v1::GetUsageResponse& usage);

// Returns the usage of the requested mount, of the first one by target, or of the device alone when
// the volume is not mounted or the target is a published device. `roots` contains kubelet's root,
// too. Writes nothing. Blocks the calling thread.
[[nodiscard]] Result<v1::GetUsageResponse> usage_of(const internal::GetUsage& job,
                                                    std::span<const std::string> roots,
                                                    const model::KubeletRoot& kubelet);

}  // namespace lvmd::mounts::mounter
