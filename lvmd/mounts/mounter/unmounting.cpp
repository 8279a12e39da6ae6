#include "lvmd/mounts/mounter/unmounting.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ranges>
#include <utility>
#include <vector>

#include "lvmd/base/failpoint.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/model/mount_rules.hpp"
#include "lvmd/mounts/mounter/directory.hpp"
#include "lvmd/mounts/mounter/mounted.hpp"
#include "lvmd/mounts/mounter/volume.hpp"
#include "lvmd/mounts/table/file_users.hpp"

namespace lvmd::mounts::mounter {
namespace {

// Returns the device number that stat(2) shows for files in the directory.
mounts::DeviceNumber number_of_files(int directory) {
  struct statx status{};
  if (::statx(directory, "", AT_EMPTY_PATH, STATX_TYPE, &status) != 0) return {};
  return {.major = status.stx_dev_major, .minor = status.stx_dev_minor};
}

// Describes what keeps the mount busy.
std::string holder_of(const mounts::MountPoint& point, mounts::DeviceNumber files) {
  const std::array numbers{point.file_system, files};
  auto users = mounts::processes_using(numbers);
  if (users) std::erase_if(*users, [](const auto& user) { return user.pid == ::getpid(); });
  if (users && !users->empty()) {
    const std::size_t others = users->size() - 1;
    return fmt::format("{} (pid {}){}", users->front().program, users->front().pid,
                       others == 0 ? "" : fmt::format(" and {} more", others));
  }
  if (const auto table = mounts::read_mount_table()) {
    const auto below = mounts::mounts_below(*table, point.target);
    if (!below.empty()) return fmt::format("the mount {} below it", below.front().target);
  }
  return "something other than a process, such as a loop device or swap on one of its files";
}

Failure busy(const MountBelow& below, mounts::DeviceNumber files) {
  const std::string holder = holder_of(below.point, files);
  return fail(Code::kFailedPrecondition, "{} is busy: {} uses it", below.target, holder)
      .because(reason::kMountBusy)
      .with(key::kTarget, below.target)
      .with(key::kHolder, holder);
}

// Unmounts one mount. Returns false when it was no longer mounted.
Result<bool> unmount_one(const MountBelow& below, std::span<const std::string> roots) {
  const auto place = model::check_mount_target("target", below.target, roots);
  if (!place) return std::unexpected(place.error());
  auto directory = open_directory(*place, Missing::kLeave);
  if (!directory && directory.error().code == Code::kNotFound) return false;
  if (!directory) return std::unexpected(directory.error());
  const mounts::DeviceNumber files = number_of_files(directory->fd.get());
  // An open descriptor of the mount would keep it busy, so umount2 gets the name in the parent
  // directory.
  directory->fd.reset();
  const std::string path =
      fmt::format("/proc/self/fd/{}/{}", directory->parent.get(), directory->name);
  const bool unmounted = ::umount2(path.c_str(), UMOUNT_NOFOLLOW) == 0;
  if (!unmounted && errno == EBUSY) return busy(below, files);
  // EINVAL: nothing is mounted there.
  if (!unmounted && errno != EINVAL && errno != ENOENT)
    return fail_errno(errno, fmt::format("unmount {}", below.target));
  failpoint("mounter.gone");
  remove_if_empty(*directory);
  return unmounted;
}

bool is_of(const mounts::MountPoint& point, const internal::VolumeDevice& device) {
  return point.device &&
         volume_of(*point.device) ==
             model::VolumeName{.volume_group = device.volume_group(), .volume = device.name()};
}

// Removes the directory of an interrupted mount or unmount.
Result<internal::Mounts> remove_directory(const std::string& target,
                                          std::span<const std::string> roots) {
  const auto place = model::check_mount_target("target", target, roots);
  if (!place) return std::unexpected(place.error());
  const auto directory = open_directory(*place, Missing::kLeave);
  if (directory) remove_if_empty(*directory);
  if (!directory && directory.error().code != Code::kNotFound)
    return std::unexpected(directory.error());
  return internal::Mounts{};
}

}  // namespace

Result<internal::Mounts> unmount(const internal::UnmountVolume& job,
                                 std::span<const std::string> roots) {
  const auto found = mounts_below_roots(roots);
  if (!found) return std::unexpected(found.error());
  std::vector<MountBelow> wanted;
  // The last mount comes first: it may hide or be below an earlier one.
  for (const MountBelow& below : *found | std::views::reverse)
    if (job.has_device() ? is_of(below.point, job.device()) : below.target == job.target())
      wanted.push_back(below);
  if (!job.has_device()) {
    if (wanted.empty()) return remove_directory(job.target(), roots);
    wanted.resize(1);
  }
  internal::Mounts removed;
  for (const MountBelow& below : wanted) {
    internal::MountedVolume described = describe_mount(below.point, below.target);
    const auto unmounted = unmount_one(below, roots);
    if (!unmounted) return std::unexpected(unmounted.error());
    if (*unmounted) *removed.add_mounts() = std::move(described);
  }
  return removed;
}

}  // namespace lvmd::mounts::mounter
