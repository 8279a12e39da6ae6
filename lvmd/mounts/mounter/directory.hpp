// Directories below a mount root, reached without following symbolic links [P-MOUNT-2].
//
// Each part of the path is opened relative to the directory before it. A part has no '/', is
// neither "." nor "..", and is not followed when it is a symbolic link, so the path cannot lead out
// of the root even while other programs rename its parts. openat2(2) would do the same in one call,
// but systemd makes it fail with ENOSYS in a unit with RestrictSUIDSGID=.
#pragma once

#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/model/mount_rules.hpp"

namespace lvmd::mounts::mounter {

// An open directory that is, or becomes, a mount point.
struct Directory {
  UniqueFd parent;
  // The name in `parent`.
  std::string name;
  // Opened with O_PATH. Refers to the root of the mount when something is mounted there.
  UniqueFd fd;
  // The path in the kernel's mount table.
  std::string path;
};

// What happens to a missing directory.
enum class Missing { kCreate, kLeave };

// Returns the root with its symbolic links resolved, as its path appears in the mount table.
// Creates a missing root with Missing::kCreate; otherwise NotFound.
[[nodiscard]] Result<std::string> resolved_root(const std::string& root, Missing missing);

// Opens a directory below a root. With Missing::kCreate, creates its missing parts; otherwise
// NotFound. FailedPrecondition, with the path of the part, when a part is a symbolic link or not a
// directory. Idempotent.
[[nodiscard]] Result<Directory> open_directory(const model::MountPlace& place, Missing missing);

// FailedPrecondition, with the name of one entry, when the directory is not empty [P-MOUNT-15].
// `target` is the path in the caller's request, for the message.
[[nodiscard]] Status check_empty(const Directory& directory, const std::string& target);

// Removes the directory when it is empty and not a mount point; otherwise does nothing.
void remove_if_empty(const Directory& directory);

}  // namespace lvmd::mounts::mounter
