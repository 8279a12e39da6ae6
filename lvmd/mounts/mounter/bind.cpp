#include "lvmd/mounts/mounter/bind.hpp"

#include <fcntl.h>
#include <sys/mount.h>

#include <cerrno>

#include "lvmd/base/unique_fd.hpp"

namespace lvmd::mounts::mounter {

// By mount(2) a read-only bind mount is writable between its two calls, and stays so when this
// process is killed there.
Status bind(int from, int to, const mounts::BindAttributes& attributes) {
  const UniqueFd tree{::open_tree(from, "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH)};
  if (!tree) return fail_errno(errno, "open_tree");
  mount_attr attr{};
  attr.attr_set = attributes.set;
  attr.attr_clr = attributes.clear;
  // What is mounted later below one of both is no matter of the other.
  attr.propagation = MS_PRIVATE;
  if (::mount_setattr(tree.get(), "", AT_EMPTY_PATH, &attr, sizeof attr) != 0)
    return fail_errno(errno, "mount_setattr");
  if (::move_mount(tree.get(), "", to, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH) != 0)
    return fail_errno(errno, "move_mount");
  return {};
}

}  // namespace lvmd::mounts::mounter
