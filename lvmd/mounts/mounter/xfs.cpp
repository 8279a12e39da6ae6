#include "lvmd/mounts/mounter/xfs.hpp"

#include <linux/ioctl.h>
#include <sys/ioctl.h>

#include <array>
#include <bit>
#include <cerrno>

namespace lvmd::mounts::mounter::xfs {
namespace {

// The requests and their arguments are in the kernel's fs/xfs/libxfs/xfs_fs.h, which is part of
// xfsprogs' headers. ioctl_xfs_fsgeometry(2) describes the geometry.
struct Geometry {
  std::uint32_t block_size;
  std::array<std::uint32_t, 6> sections;
  // What the inodes may occupy, in percent.
  std::uint32_t inode_percent;
  std::uint64_t data_blocks;
  std::array<std::uint64_t, 3> other_sections;
  std::array<std::uint8_t, 16> uuid;
  std::array<std::uint32_t, 8> layout;
  // The kinds of metadata that the kernel has found damaged, and those that it has checked.
  std::uint32_t sick;
  std::uint32_t checked;
  std::array<std::uint64_t, 17> reserved;
};
static_assert(sizeof(Geometry) == 256);

struct GrowData {
  std::uint64_t blocks;
  std::uint32_t inode_percent;
};
static_assert(sizeof(GrowData) == 16);

constexpr unsigned long kGeometryRequest = _IOR('X', 126, Geometry);
constexpr unsigned long kGrowDataRequest = _IOW('X', 110, GrowData);

Result<Geometry> geometry_of(const MountedFileSystem& mounted) {
  Geometry geometry{};
  if (::ioctl(mounted.directory, kGeometryRequest, &geometry) != 0)
    return fail_errno(errno, "geometry of the xfs on volume " + mounted.volume.name);
  return geometry;
}

}  // namespace

Result<FileSystemSize> measure(const MountedFileSystem& mounted) {
  const auto geometry = geometry_of(mounted);
  if (!geometry) return std::unexpected(geometry.error());
  return FileSystemSize{.bytes = geometry->data_blocks * geometry->block_size,
                        .block = geometry->block_size};
}

int resize(const MountedFileSystem& mounted, std::uint64_t blocks) {
  // The request sets the inodes' part as well.
  const auto geometry = geometry_of(mounted);
  if (!geometry) return EIO;
  GrowData grow{.blocks = blocks, .inode_percent = geometry->inode_percent};
  return ::ioctl(mounted.directory, kGrowDataRequest, &grow) == 0 ? 0 : errno;
}

Result<std::uint64_t> sick_metadata(const MountedFileSystem& mounted) {
  const auto geometry = geometry_of(mounted);
  if (!geometry) return std::unexpected(geometry.error());
  return static_cast<std::uint64_t>(std::popcount(geometry->sick));
}

}  // namespace lvmd::mounts::mounter::xfs
