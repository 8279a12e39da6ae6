// Directories and files below a root, reached without following symbolic links [P-MOUNT-2,
// P-CSI-30].
//
// Each part of the path is opened relative to the directory before it. A part has no '/', is
// neither "." nor "..", and is not followed when it is a symbolic link, so the path cannot lead out
// of the root even while other programs rename its parts. openat2(2) would do the same in one call,
// but systemd makes it fail with ENOSYS in a unit with RestrictSUIDSGID=, which a drop-in can
// set.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/model/mount_rules.hpp"

namespace lvmd::mounts::mounter {

// A directory or file that is, or becomes, a mount point.
struct Entry {
  UniqueFd parent;
  // The name in `parent`.
  std::string name;
  // Opened with O_PATH. Refers to the root of the mount when something is mounted there.
  UniqueFd fd;
  // The path in the kernel's mount table.
  std::string path;
};

// What happens to missing parts of a path. kCreateLast creates only the last part.
enum class Missing { kCreate, kCreateLast, kLeave };

// Returns the root with its symbolic links resolved, as its path appears in the mount table.
// Creates a missing root with Missing::kCreate; otherwise NotFound.
[[nodiscard]] Result<std::string> resolved_root(const std::string& root, Missing missing);

// Opens the directory that contains the last part of the path. `fd` of the result is empty: the
// last part may be missing or of any kind. Errors as those of open_directory().
[[nodiscard]] Result<Entry> open_parent(const model::MountPlace& place, Missing missing);

// Opens a directory below a root. Creates missing parts, or fails: NotFound with Missing::kLeave,
// FailedPrecondition with kCreateLast when another part than the last one is missing.
// FailedPrecondition, with the path of the part, when a part is a symbolic link or not a directory.
// Idempotent.
[[nodiscard]] Result<Entry> open_directory(const model::MountPlace& place, Missing missing);

// Opens a file below a root on which a device node is or can be mounted: an empty file, or a block
// device if a node is mounted there. With Missing::kCreateLast, creates a missing file with mode
// 0600; otherwise NotFound. FailedPrecondition, with the path, when it is anything else, and in the
// cases of open_directory(). Idempotent.
[[nodiscard]] Result<Entry> open_file(const model::MountPlace& place, Missing missing);

// Returns the name of an entry of the directory other than `except`, or nothing when there is none.
// `path` is for messages.
[[nodiscard]] Result<std::optional<std::string>> any_entry(int directory, const std::string& path,
                                                           std::string_view except = {});

// FailedPrecondition, with the name of one entry, when the directory is not empty [P-MOUNT-15].
// `target` is the path in the caller's request, for the message.
[[nodiscard]] Status check_empty(const Entry& directory, const std::string& target);

// Removes the directory when it is empty and not a mount point; otherwise does nothing.
void remove_if_empty(const Entry& directory);

// Removes the regular file when it is empty and not a mount point; otherwise does nothing.
void remove_empty_file(const Entry& file);

}  // namespace lvmd::mounts::mounter
