// Bind mounts.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/mounts/table/mount_options.hpp"

namespace lvmd::mounts::mounter {

// Mounts what `from` refers to at `to` as well: the root of a mount at a directory, or a device
// node at a file. Both are descriptors; O_PATH is enough. The attributes are set before the new
// mount becomes visible. NotFound when `to` was removed.
[[nodiscard]] Status bind(int from, int to, const mounts::BindAttributes& attributes);

}  // namespace lvmd::mounts::mounter
