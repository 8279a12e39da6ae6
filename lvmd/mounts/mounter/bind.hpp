// Bind mounts that are never more open than asked for.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/mounts/table/mount_options.hpp"

namespace lvmd::mounts::mounter {

// Mounts what `from` refers to at `to` too; both are descriptors of folders. The attributes hold
// before anybody can reach the new mount.
[[nodiscard]] Status bind(int from, int to, const mounts::BindAttributes& attributes);

}  // namespace lvmd::mounts::mounter
