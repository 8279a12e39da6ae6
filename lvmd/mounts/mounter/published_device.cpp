#include "lvmd/mounts/mounter/published_device.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "lvmd/base/failpoint.hpp"
#include "lvmd/base/files.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/mounts/mounter/bind.hpp"
#include "lvmd/mounts/mounter/directory.hpp"
#include "lvmd/mounts/mounter/lock.hpp"

namespace lvmd::mounts::mounter {
namespace {

const char* access_name(bool read_only) { return read_only ? "read-only" : "read-write"; }

std::string path_of_fd(int fd) { return fmt::format("/proc/self/fd/{}", fd); }

bool is_device(int fd, mounts::DeviceNumber device) {
  return mounts::block_device_at(path_of_fd(fd)) == device;
}

// Returns false when nothing is mounted on the file.
Result<bool> is_published(const Entry& file, const std::string& target, const OpenVolume& volume,
                          bool read_only) {
  const auto table = mount_table();
  if (!table) return std::unexpected(table.error());
  const mounts::MountPoint* const there = mounts::mounted_at(**table, file.path);
  if (there == nullptr && mounts::block_device_at(path_of_fd(file.fd.get())))
    return fail(Code::kFailedPrecondition,
                "{} is a device node, and nothing is mounted on it: remove it", target)
        .because(reason::kTargetUnusable)
        .with(key::kTarget, target);
  if (there == nullptr) return false;
  if (!is_device(file.fd.get(), volume.number))
    return fail(Code::kAlreadyExists,
                "something else than volume {} is already mounted at {}: unmount it", volume.name,
                target)
        .because(reason::kTargetTaken)
        .with(key::kTarget, target)
        .with(key::kExisting, there->root);
  if (there->read_only != read_only)
    return fail(Code::kAlreadyExists,
                "volume {} is already published at {}, but read_only is {}, not {}", volume.name,
                target, access_name(there->read_only), access_name(read_only))
        .because(reason::kMountDiffers)
        .about("read_only", access_name(read_only))
        .with(key::kExisting, access_name(there->read_only));
  return true;
}

Status set_read_only(int fd, bool read_only) {
  int now = 0;
  if (::ioctl(fd, BLKROGET, &now) == 0 && (now != 0) == read_only) return {};
  const int value = read_only ? 1 : 0;
  if (::ioctl(fd, BLKROSET, &value) != 0) return fail_errno(errno, "BLKROSET");
  return {};
}

// Makes the device read-only before the first read-only publication is visible, and writable before
// the first writable one is.
Status prepare_write_access(const OpenVolume& volume, bool read_only) {
  const auto table = mount_table();
  if (!table) return std::unexpected(table.error());
  auto publications = publications_of(**table, volume.number);
  publications.push_back({.target = {}, .file_system = {}, .fs_type = {}, .read_only = read_only});
  return set_read_only(volume.fd.get(), should_be_read_only(**table, publications, volume.number));
}

Status bind_node(const OpenVolume& volume, const Entry& file, bool read_only) {
  // The path of the device can be a link to its node.
  const UniqueFd node{::open(volume.path.c_str(), O_PATH | O_CLOEXEC)};
  if (!node) return fail_errno(errno, volume.path);
  if (!is_device(node.get(), volume.number))
    return fail(Code::kFailedPrecondition, "{} is no longer the device of volume {}: try again",
                volume.path, volume.name)
        .because(reason::kVolumeInactive);
  // The access is recorded in the mount table. It does not restrict the device: the kernel allows
  // writes to devices on read-only mounts.
  mounts::BindAttributes attributes{.set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC,
                                    .clear = MOUNT_ATTR_NODEV};
  (read_only ? attributes.set : attributes.clear) |= MOUNT_ATTR_RDONLY;
  auto bound = bind(node.get(), file.fd.get(), attributes);
  if (!bound && bound.error().code == Code::kNotFound)
    return fail(Code::kAborted, "another program removed {}: try again", file.path)
        .because(reason::kTargetUnusable)
        .with(key::kTarget, file.path);
  return bound;
}

internal::MountedVolume describe(const OpenVolume& volume, const std::string& target,
                                 bool read_only) {
  internal::MountedVolume described;
  described.set_target(target);
  described.set_major(volume.number.major);
  described.set_minor(volume.number.minor);
  described.set_read_only(read_only);
  if (auto name = volume_of(volume.number)) {
    described.set_volume_group(std::move(name->volume_group));
    described.set_name(std::move(name->volume));
  }
  return described;
}

}  // namespace

bool is_device_node(const mounts::MountPoint& mount, mounts::DeviceNumber device,
                    const std::string& block_devices) {
  if (mount.fs_type != "devtmpfs") return false;
  const std::string mapped =
      first_line(fmt::format("{}/{}:{}/dm/name", block_devices, device.major, device.minor));
  // The kernel makes the first node. Without udev, libdevmapper makes the second one, which is a
  // link otherwise.
  return !mapped.empty() &&
         (mount.root == fmt::format("/dm-{}", device.minor) || mount.root == "/mapper/" + mapped);
}

std::vector<mounts::MountPoint> publications_of(const std::vector<mounts::MountPoint>& table,
                                                mounts::DeviceNumber device,
                                                const std::string& block_devices) {
  std::vector<mounts::MountPoint> found;
  for (const mounts::MountPoint& mount : table)
    if (is_device_node(mount, device, block_devices)) found.push_back(mount);
  return found;
}

bool should_be_read_only(const std::vector<mounts::MountPoint>& table,
                         const std::vector<mounts::MountPoint>& publications,
                         mounts::DeviceNumber device) {
  return !publications.empty() &&
         std::ranges::all_of(publications, &mounts::MountPoint::read_only) &&
         std::ranges::find(table, std::optional{device}, &mounts::MountPoint::device) ==
             table.end();
}

Status settle_write_access(int fd, mounts::DeviceNumber device) {
  const auto table = mount_table();
  if (!table) return std::unexpected(table.error());
  return set_read_only(fd, should_be_read_only(**table, publications_of(**table, device), device));
}

Result<bool> is_published_at(const OpenVolume& volume, const model::MountPlace& place) {
  const auto file = open_file(place, Missing::kLeave);
  if (!file && file.error().code == Code::kNotFound) return false;
  if (!file) return std::unexpected(file.error());
  return is_device(file->fd.get(), volume.number);
}

Result<internal::MountedVolume> publish_device(const OpenVolume& volume,
                                               const model::MountPlace& place, bool read_only) {
  const std::string target = path_of(place);
  if (auto locked = lock(volume.fd.get(), "volume " + volume.name); !locked)
    return std::unexpected(locked.error());
  failpoint("mounter.begun");
  const auto file = open_file(place, Missing::kCreateLast);
  if (!file) return std::unexpected(file.error());
  const auto published = is_published(*file, target, volume, read_only);
  if (!published) return std::unexpected(published.error());
  if (auto prepared = prepare_write_access(volume, read_only); !prepared)
    return std::unexpected(prepared.error());
  if (*published) return describe(volume, target, read_only);
  failpoint("mounter.folder");
  if (auto bound = bind_node(volume, *file, read_only); !bound) {
    remove_empty_file(*file);
    static_cast<void>(settle_write_access(volume.fd.get(), volume.number));
    return std::unexpected(bound.error());
  }
  failpoint("mounter.mounted");
  return describe(volume, target, read_only);
}

}  // namespace lvmd::mounts::mounter
