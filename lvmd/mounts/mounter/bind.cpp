#include "lvmd/mounts/mounter/bind.hpp"

#include <fcntl.h>
#include <sys/mount.h>

#include <cerrno>

#include "lvmd/base/unique_fd.hpp"

namespace lvmd::mounts::mounter {

// Uses the new mount API because mount(2) needs two calls for a read-only bind mount: between them
// the mount is writable, and it stays writable when this process is killed there.
Status bind(int from, int to, const mounts::BindAttributes& attributes) {
  const UniqueFd tree{::open_tree(from, "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH)};
  if (!tree) return fail_errno(errno, "open_tree");
  mount_attr attr{};
  attr.attr_set = attributes.set;
  attr.attr_clr = attributes.clear;
  // Mounts that are made later below one of the two directories do not propagate to the other.
  attr.propagation = MS_PRIVATE;
  if (::mount_setattr(tree.get(), "", AT_EMPTY_PATH, &attr, sizeof attr) != 0)
    return fail_errno(errno, "mount_setattr");
  if (::move_mount(tree.get(), "", to, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) != 0)
    return fail_errno(errno, "move_mount");
  return {};
}

}  // namespace lvmd::mounts::mounter
