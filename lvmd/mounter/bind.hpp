// Bind mounts that are never more open than asked for.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/mount/mount_options.hpp"

namespace lvmd::mounter {

// Mounts what `from` refers to at `to` too; both are descriptors of folders. The attributes hold
// before anybody can reach the new mount.
[[nodiscard]] Status bind(int from, int to, const mount::BindAttributes& attributes);

}  // namespace lvmd::mounter
