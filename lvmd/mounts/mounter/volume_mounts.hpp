// The mounts of one volume below the mount roots.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/mounts/mounter/mounted.hpp"
#include "lvmd/mounts/mounter/volume.hpp"

namespace lvmd::mounts::mounter {

// Returns the mounts of `device`, without those that a later mount at the same target hides. Keeps
// the order of `mounts`, which is that of mounts_below_roots(). Pure.
[[nodiscard]] std::vector<MountBelow> mounts_of(const std::vector<MountBelow>& mounts,
                                                mounts::DeviceNumber device);

// Opens the root directory of the mount with O_PATH. Aborted when another program has removed or
// covered the mount in the meantime.
[[nodiscard]] Result<UniqueFd> open_mount(const MountBelow& mount, const OpenVolume& volume,
                                          std::span<const std::string> roots);

}  // namespace lvmd::mounts::mounter
