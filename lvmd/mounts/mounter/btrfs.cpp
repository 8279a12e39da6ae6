#include "lvmd/mounts/mounter/btrfs.hpp"

#include <fmt/format.h>
#include <linux/btrfs.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace lvmd::mounts::mounter::btrfs {
namespace {

struct Member {
  std::uint64_t id = 0;
  FileSystemSize size;
};

// The volume among the devices of the file system.
Result<Member> member(const MountedFileSystem& mounted) {
  btrfs_ioctl_fs_info_args file_system{};
  if (::ioctl(mounted.directory, BTRFS_IOC_FS_INFO, &file_system) != 0)
    return fail_errno(errno, "devices of the btrfs on volume " + mounted.volume.name);
  for (std::uint64_t id = 1; id <= file_system.max_id; ++id) {
    btrfs_ioctl_dev_info_args device{};
    device.devid = id;
    // The numbers of removed devices are missing.
    if (::ioctl(mounted.directory, BTRFS_IOC_DEV_INFO, &device) != 0) continue;
    const std::string path{reinterpret_cast<const char*>(device.path)};
    if (mounts::block_device_at(path) == mounted.volume.number)
      return Member{.id = id,
                    .size = {.bytes = device.total_bytes, .block = file_system.sectorsize}};
  }
  return fail(Code::kInternal, "the btrfs of volume {} does not name it among its devices",
              mounted.volume.name);
}

}  // namespace

Result<FileSystemSize> measure(const MountedFileSystem& mounted) {
  const auto found = member(mounted);
  if (!found) return std::unexpected(found.error());
  return found->size;
}

int resize(const MountedFileSystem& mounted, std::uint64_t blocks) {
  const auto found = member(mounted);
  if (!found) return EIO;
  btrfs_ioctl_vol_args arguments{};
  // Not "max", which would shrink a file system that is larger than its device.
  fmt::format_to_n(arguments.name, BTRFS_PATH_NAME_MAX, "{}:{}", found->id,
                   blocks * found->size.block);
  const int result = ::ioctl(mounted.directory, BTRFS_IOC_RESIZE, &arguments);
  if (result < 0) return errno;
  if (result == 0) return 0;
  return result == BTRFS_ERROR_DEV_EXCL_RUN_IN_PROGRESS ? EBUSY : EINVAL;
}

Result<std::array<std::uint64_t, kErrorKinds.size()>> device_errors(
    const MountedFileSystem& mounted) {
  static_assert(kErrorKinds.size() == BTRFS_DEV_STAT_VALUES_MAX);
  const auto found = member(mounted);
  if (!found) return std::unexpected(found.error());
  btrfs_ioctl_get_dev_stats stats{};
  stats.devid = found->id;
  stats.nr_items = kErrorKinds.size();
  if (::ioctl(mounted.directory, BTRFS_IOC_GET_DEV_STATS, &stats) != 0)
    return fail_errno(errno, "errors of the btrfs on volume " + mounted.volume.name);
  std::array<std::uint64_t, kErrorKinds.size()> errors{};
  std::ranges::copy(stats.values, errors.begin());
  return errors;
}

}  // namespace lvmd::mounts::mounter::btrfs
