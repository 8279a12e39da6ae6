// Sizes of mounted file systems and of their devices.
#pragma once

#include <cstdint>

#include "lvmd/base/result.hpp"
#include "lvmd/mounts/mounter/volume.hpp"

namespace lvmd::mounts::mounter {

// A mounted file system.
struct MountedFileSystem {
  // A directory of the file system, open for reading: ioctls on it reach the file system.
  int directory = -1;
  // The volume with the file system.
  const OpenVolume& volume;
};

struct FileSystemSize {
  // What the file system occupies of the device, including its metadata.
  std::uint64_t bytes = 0;
  // The size of a block, at least 1: the file system has whole blocks.
  std::uint64_t block = 1;

  friend bool operator==(const FileSystemSize&, const FileSystemSize&) = default;
};

// Returns the size of the device in bytes.
[[nodiscard]] Result<std::uint64_t> device_bytes(const OpenVolume& volume);

// Returns the blocks that the file system needs to fill a device of `device_bytes`, or 0 when it is
// not smaller than the device. A file system never shrinks. Pure.
[[nodiscard]] std::uint64_t blocks_to_fill(const FileSystemSize& size, std::uint64_t device_bytes);

}  // namespace lvmd::mounts::mounter
