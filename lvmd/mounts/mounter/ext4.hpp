// A mounted ext4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "lvmd/base/result.hpp"
#include "lvmd/mounts/mounter/file_system_size.hpp"

namespace lvmd::mounts::mounter::ext4 {

using Superblock = std::array<std::uint8_t, 1024>;

// Reads the superblock of the file system on the volume, mounted or not.
[[nodiscard]] Result<Superblock> read_superblock(const OpenVolume& volume);

// Returns the size in a superblock. Internal when it is not one of ext4. Pure.
[[nodiscard]] Result<FileSystemSize> size_in(const Superblock& superblock);

// True if e2fsck must check the file system before it is mounted: the kernel has recorded an error,
// or the file system has no journal and was not unmounted. A journal alone needs no e2fsck, because
// the kernel replays it. False for a superblock that is not one of ext4. Pure.
[[nodiscard]] bool asks_for_check(const Superblock& superblock);

// Returns the size of the mounted file system.
[[nodiscard]] Result<FileSystemSize> measure(const MountedFileSystem& mounted);

// Grows the file system to `blocks`. Returns 0 or the error number: EPERM when the kernel has
// recorded errors of the file system. Needs CAP_SYS_RESOURCE.
[[nodiscard]] int resize(const MountedFileSystem& mounted, std::uint64_t blocks);

}  // namespace lvmd::mounts::mounter::ext4
