// Mounts below the roots, as callers see them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/mounts/table/mount_table.hpp"

namespace lvmd::mounts::mounter {

// `target` as the caller writes it, below a root of lvmd.yaml.
[[nodiscard]] internal::MountedVolume describe_mount(const mounts::MountPoint& point,
                                                     std::string_view target);

// A mount with the target that callers know it by: the kernel's table has the root's own symbolic
// links resolved.
struct MountBelow {
  mounts::MountPoint point;
  std::string target;
};

// Those of all roots, sorted by target; of two at one target the later comes later. A root that
// doesn't exist has none.
[[nodiscard]] Result<std::vector<MountBelow>> mounts_below_roots(
    std::span<const std::string> roots);

[[nodiscard]] Result<internal::Mounts> list_mounts(std::span<const std::string> roots);

}  // namespace lvmd::mounts::mounter
