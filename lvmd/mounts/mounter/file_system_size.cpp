#include "lvmd/mounts/mounter/file_system_size.hpp"

#include <sys/ioctl.h>
#include <sys/mount.h>

#include <cerrno>

namespace lvmd::mounts::mounter {

Result<std::uint64_t> device_bytes(const OpenVolume& volume) {
  std::uint64_t bytes = 0;
  if (::ioctl(volume.fd.get(), BLKGETSIZE64, &bytes) != 0)
    return fail_errno(errno, "size of " + volume.path);
  return bytes;
}

std::uint64_t blocks_to_fill(const FileSystemSize& size, std::uint64_t device_bytes) {
  const std::uint64_t blocks = device_bytes / size.block;
  return blocks > size.bytes / size.block ? blocks : 0;
}

}  // namespace lvmd::mounts::mounter
