#include "lvmd/transfers/mover/volume_mount.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "lvmd/base/unique_fd.hpp"
#include "lvmd/transfers/mover/restic_command.hpp"
#include "lvmd/transfers/mover/sandbox.hpp"

namespace lvmd::transfers::mover {

mounts::MountSpec read_only_spec(const Volume& volume, std::string_view fs_type) {
  return {.fs_type = fs_type, .read_only = true, .duplicate_uuid = volume.snapshot};
}

Result<VolumeMount> VolumeMount::make(const mounts::MountSpec& spec) {
  const mounts::MountArguments arguments = mounts::mount_arguments(spec);
  const std::string device{kDevicePath};
  const std::string path{kVolumePath};
  const std::string fs_type{spec.fs_type};
  if (::mount(device.c_str(), path.c_str(), fs_type.c_str(), arguments.flags,
              arguments.data.c_str()) != 0)
    return fail_errno(errno, fmt::format("mount the volume as {}", fs_type));
  return VolumeMount{};
}

VolumeMount::VolumeMount(VolumeMount&& other) noexcept
    : mounted_(std::exchange(other.mounted_, false)) {}

VolumeMount::~VolumeMount() {
  // If this fails, the mount ends with the mount namespace.
  if (mounted_) static_cast<void>(unmount());
}

Status VolumeMount::flush() const {
  const std::string path{kVolumePath};
  const UniqueFd directory{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!directory || ::syncfs(directory.get()) != 0) return fail_errno(errno, "flush the volume");
  return {};
}

Status VolumeMount::unmount() {
  const std::string path{kVolumePath};
  if (::umount2(path.c_str(), UMOUNT_NOFOLLOW) != 0) return fail_errno(errno, "unmount the volume");
  mounted_ = false;
  return {};
}

Status drop_cache(const std::string& device_path) {
  const UniqueFd fd{::open(device_path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (!fd || ::fsync(fd.get()) != 0 || ::ioctl(fd.get(), BLKFLSBUF) != 0)
    return fail_errno(errno, fmt::format("flush {}", device_path));
  return {};
}

}  // namespace lvmd::transfers::mover
