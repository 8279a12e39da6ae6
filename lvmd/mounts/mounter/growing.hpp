// Grows the mounted file system of a volume [P-MOUNT-16, P-MOUNT-17, P-CSI-43].
#pragma once

#include <span>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/mounts/mounter/mounted.hpp"
#include "lvmd/mounts/mounter/volume.hpp"

namespace lvmd::mounts::mounter {

// Grows the file system of a mount of the volume to the size of the volume. The caller holds the
// lock of the volume. Otherwise as grow_file_system().
[[nodiscard]] Result<v1::GrowFileSystemResponse> grow_mount(const OpenVolume& volume,
                                                            const MountBelow& mount,
                                                            std::span<const std::string> roots);

// Grows the file system to the size of the volume, while it is mounted, and returns its size before
// and after. Starts no program. Idempotent: a file system that fills the volume is not changed, and
// when the process is killed, a repeated call continues. `roots` contains kubelet's root, too.
// Blocks the calling thread.
[[nodiscard]] Result<v1::GrowFileSystemResponse> grow_file_system(
    const internal::VolumeDevice& device, std::span<const std::string> roots);

}  // namespace lvmd::mounts::mounter
