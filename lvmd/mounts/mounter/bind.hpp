// Bind mounts that have their restrictions from the beginning.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/mounts/table/mount_options.hpp"

namespace lvmd::mounts::mounter {

// Mounts the mount that `from` refers to at `to` as well. Both are descriptors of directories. The
// attributes are set before the new mount becomes visible. NotFound when `to` was removed.
[[nodiscard]] Status bind(int from, int to, const mounts::BindAttributes& attributes);

}  // namespace lvmd::mounts::mounter
