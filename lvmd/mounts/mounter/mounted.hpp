// The mounts below the mount roots, as the API reports them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/mounts/table/mount_table.hpp"

namespace lvmd::mounts::mounter {

// The mounts of this process's mount namespace, as KnownMountTable::read(). The first call must
// follow the last change of the namespace.
[[nodiscard]] Result<std::shared_ptr<const std::vector<mounts::MountPoint>>> mount_table();

// `target` is the path below a root as lvmd.yaml writes the root.
[[nodiscard]] internal::MountedVolume describe_mount(const mounts::MountPoint& point,
                                                     std::string_view target);

// A mount and its target in the API. The kernel's mount table shows the root's symbolic links
// resolved, the target does not.
struct MountBelow {
  mounts::MountPoint point;
  std::string target;
};

// Returns the mounts below all roots, sorted by target. Mounts at one target keep the order in
// which they were made. A root that does not exist has no mounts.
[[nodiscard]] Result<std::vector<MountBelow>> mounts_below_roots(
    std::span<const std::string> roots);

// Returns the mounts of mounts_below_roots() as the reply to a list job.
[[nodiscard]] Result<internal::Mounts> list_mounts(std::span<const std::string> roots);

}  // namespace lvmd::mounts::mounter
