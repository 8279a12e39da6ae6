#include "lvmd/mounts/mounter/growing.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "lvmd/base/failpoint.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/mounts/mounter/btrfs.hpp"
#include "lvmd/mounts/mounter/ext4.hpp"
#include "lvmd/mounts/mounter/lock.hpp"
#include "lvmd/mounts/mounter/volume_mounts.hpp"
#include "lvmd/mounts/mounter/xfs.hpp"

namespace lvmd::mounts::mounter {
namespace {

struct GrowableType {
  std::string_view name;
  Result<FileSystemSize> (*measure)(const MountedFileSystem&);
  int (*resize)(const MountedFileSystem&, std::uint64_t);
};

constexpr std::array<GrowableType, 3> kGrowableTypes{{
    {.name = "ext4", .measure = ext4::measure, .resize = ext4::resize},
    {.name = "xfs", .measure = xfs::measure, .resize = xfs::resize},
    {.name = "btrfs", .measure = btrfs::measure, .resize = btrfs::resize},
}};

Failure mounted_read_only(const OpenVolume& volume, const std::string& target) {
  if (volume.read_only)
    return fail(Code::kFailedPrecondition,
                "volume {} is read-only, so its file system cannot grow: grow a writable volume",
                volume.name)
        .because(reason::kVolumeReadOnly);
  return fail(Code::kFailedPrecondition,
              "volume {} is mounted read-only at {}: mount it read-write, then grow it",
              volume.name, target)
      .because(reason::kMountReadOnly)
      .with(key::kTarget, target);
}

Failure not_grown(const OpenVolume& volume, const MountBelow& mount, int error) {
  if (error == EROFS) return mounted_read_only(volume, mount.target);
  if (error == EBUSY || error == EAGAIN)
    return fail(Code::kAborted,
                "another operation on the {} of volume {} is running, such as a resize or a "
                "balance: try again",
                mount.point.fs_type, volume.name)
        .because(reason::kMountUnderWay);
  return fail(Code::kFailedPrecondition,
              "the kernel did not grow the {} of volume {} at {}: {}; see the kernel's log. A file "
              "system with errors does not grow before it is unmounted and repaired",
              mount.point.fs_type, volume.name, mount.target,
              std::generic_category().message(error))
      .because(reason::kGrowRefused)
      .with(key::kTarget, mount.target);
}

Result<v1::GrowFileSystemResponse> grow(const GrowableType& type, const OpenVolume& volume,
                                        const MountBelow& mount,
                                        std::span<const std::string> roots) {
  const auto root = open_mount(mount, volume, roots);
  if (!root) return std::unexpected(root.error());
  const UniqueFd directory{::open(fmt::format("/proc/self/fd/{}", root->get()).c_str(),
                                  O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  // A file system that the kernel has shut down cannot be opened.
  if (!directory) return not_grown(volume, mount, errno);
  const MountedFileSystem mounted{.directory = directory.get(), .volume = volume};
  const auto before = type.measure(mounted);
  if (!before) return std::unexpected(before.error());
  const auto device = device_bytes(volume);
  if (!device) return std::unexpected(device.error());
  if (const std::uint64_t blocks = blocks_to_fill(*before, *device); blocks != 0)
    if (const int error = type.resize(mounted, blocks); error != 0)
      return not_grown(volume, mount, error);
  const auto after = type.measure(mounted);
  if (!after) return std::unexpected(after.error());
  v1::GrowFileSystemResponse grown;
  grown.set_fs_type(mount.point.fs_type);
  grown.set_bytes_before(static_cast<std::int64_t>(before->bytes));
  grown.set_bytes_after(static_cast<std::int64_t>(after->bytes));
  return grown;
}

}  // namespace

Result<v1::GrowFileSystemResponse> grow_mount(const OpenVolume& volume, const MountBelow& mount,
                                              std::span<const std::string> roots) {
  const std::string& fs_type = mount.point.fs_type;
  const auto* const type = std::ranges::find(kGrowableTypes, fs_type, &GrowableType::name);
  if (type == kGrowableTypes.end())
    return fail(Code::kFailedPrecondition,
                "volume {} contains {}: lvmd grows ext4, xfs and btrfs; use a tool for {}",
                volume.name, fs_type, fs_type)
        .because(reason::kOtherContent)
        .with(key::kExisting, fs_type);
  return grow(*type, volume, mount, roots);
}

Result<v1::GrowFileSystemResponse> grow_file_system(const internal::VolumeDevice& device,
                                                    std::span<const std::string> roots) {
  const auto volume = open_volume(device);
  if (!volume) return std::unexpected(volume.error());
  if (auto locked = lock(volume->fd.get(), "volume " + volume->name); !locked)
    return std::unexpected(locked.error());
  failpoint("mounter.begun");
  const auto below = mounts_below_roots(roots);
  if (!below) return std::unexpected(below.error());
  const auto mounts = mounts_of(*below, volume->number);
  if (mounts.empty())
    return fail(Code::kFailedPrecondition,
                "volume {} is not mounted where lvmd mounts volumes: mount it, then grow it",
                volume->name)
        .because(reason::kNotMounted);
  const auto writable =
      std::ranges::find_if(mounts, [](const MountBelow& mount) { return !mount.point.read_only; });
  if (writable == mounts.end()) return mounted_read_only(*volume, mounts.front().target);
  // Every mount of a volume shows the same file system.
  return grow_mount(*volume, *writable, roots);
}

}  // namespace lvmd::mounts::mounter
