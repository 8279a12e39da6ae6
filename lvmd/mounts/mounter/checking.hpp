// Checks a file system before it is mounted [P-CSI-33].
#pragma once

#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/mounts/mounter/volume.hpp"

namespace lvmd::mounts::mounter {

// Runs `e2fsck -p` on an ext4 whose superblock asks for it. Does nothing for other file systems and
// on a read-only volume. FailedPrecondition, with the end of the program's output, when it cannot
// repair the file system. Aborted when another program keeps the device open exclusively, such as
// the e2fsck of a mounter that died.
//
// The caller holds the lock of the volume and knows that the volume is not mounted. Blocks the
// calling thread for as long as e2fsck runs.
[[nodiscard]] Status check_before_mount(const OpenVolume& volume, std::string_view fs_type);

}  // namespace lvmd::mounts::mounter
