// A mounted btrfs. Of a file system on several devices, all of this concerns the volume's device.
#pragma once

#include <cstdint>

#include "lvmd/base/result.hpp"
#include "lvmd/mounts/mounter/file_system_size.hpp"

namespace lvmd::mounts::mounter::btrfs {

// Returns what the file system uses of the volume. Internal when the volume is not one of its
// devices.
[[nodiscard]] Result<FileSystemSize> measure(const MountedFileSystem& mounted);

// Grows the file system on the volume to `blocks`. Returns 0 or the error number: EBUSY while
// another operation on its devices runs, such as a balance.
[[nodiscard]] int resize(const MountedFileSystem& mounted, std::uint64_t blocks);

}  // namespace lvmd::mounts::mounter::btrfs
