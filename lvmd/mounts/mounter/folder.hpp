// Folders below a root, reached without following anything [P-MOUNT-2].
//
// Step by step, each name opened in the folder before it: names without '/', "." and ".." that
// aren't followed can't lead out of the root, whoever renames what meanwhile. openat2(2) would do
// the same in one call, but systemd answers it with ENOSYS in a unit with RestrictSUIDSGID=.
#pragma once

#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/model/mount_rules.hpp"

namespace lvmd::mounts::mounter {

struct Folder {
  UniqueFd parent;
  // In its parent.
  std::string name;
  // Made with O_PATH; of the mount, when something is mounted there.
  UniqueFd fd;
  // As the kernel's table of mounts has it.
  std::string path;
};

enum class Missing { kMake, kLeave };

// A root with its own symbolic links resolved: how paths below it begin in the table of mounts.
// Made when it doesn't exist and `missing` says so; NotFound otherwise.
[[nodiscard]] Result<std::string> resolved_root(const std::string& root, Missing missing);

// NotFound when it doesn't exist and is not to be made; FailedPrecondition, naming the part, when a
// part is a symbolic link or no folder.
[[nodiscard]] Result<Folder> open_folder(const model::MountPlace& place, Missing missing);

// FailedPrecondition, naming one thing that is in it, unless the folder is empty [P-MOUNT-15].
// `target` is what the caller calls it.
[[nodiscard]] Status check_empty(const Folder& folder, const std::string& target);

// Takes the folder away when it is empty and nothing is mounted there; otherwise it stays.
void remove_if_empty(const Folder& folder);

}  // namespace lvmd::mounts::mounter
