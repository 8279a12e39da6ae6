#include "lvmd/mounts/mounter/unmounting.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

#include "lvmd/base/failpoint.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/model/mount_rules.hpp"
#include "lvmd/mounts/mounter/directory.hpp"
#include "lvmd/mounts/mounter/lock.hpp"
#include "lvmd/mounts/mounter/mounted.hpp"
#include "lvmd/mounts/mounter/published_device.hpp"
#include "lvmd/mounts/mounter/volume.hpp"
#include "lvmd/mounts/table/file_users.hpp"

namespace lvmd::mounts::mounter {
namespace {

// What keeps a mount busy has these numbers.
struct Numbers {
  // What stat(2) shows for files in the mount.
  mounts::DeviceNumber files;
  // The device whose node is mounted.
  std::optional<mounts::DeviceNumber> device;
};

Numbers numbers_of(int root) {
  struct statx status{};
  if (::statx(root, "", AT_EMPTY_PATH, STATX_TYPE, &status) != 0) return {};
  Numbers numbers{.files = {.major = status.stx_dev_major, .minor = status.stx_dev_minor},
                  .device = {}};
  if (S_ISBLK(status.stx_mode))
    numbers.device = {.major = status.stx_rdev_major, .minor = status.stx_rdev_minor};
  return numbers;
}

// Describes what keeps the mount busy.
std::string holder_of(const mounts::MountPoint& point, const Numbers& numbers) {
  auto users = numbers.device
                   ? mounts::processes_with_device(*numbers.device)
                   : mounts::processes_using(std::array{point.file_system, numbers.files});
  if (users) std::erase_if(*users, [](const auto& user) { return user.pid == ::getpid(); });
  if (users && !users->empty()) {
    const std::size_t others = users->size() - 1;
    return fmt::format("{} (pid {}){}", users->front().program, users->front().pid,
                       others == 0 ? "" : fmt::format(" and {} more", others));
  }
  if (const auto table = mount_table()) {
    const auto below = mounts::mounts_below(**table, point.target);
    if (!below.empty()) return fmt::format("the mount {} below it", below.front().target);
  }
  return "something other than a process, such as a loop device or swap on one of its files";
}

Failure busy(const MountBelow& below, const Numbers& numbers) {
  const std::string holder = holder_of(below.point, numbers);
  return fail(Code::kFailedPrecondition, "{} is busy: {} uses it", below.target, holder)
      .because(reason::kMountBusy)
      .with(key::kTarget, below.target)
      .with(key::kHolder, holder);
}

// What an unmount finds at a place, and leaves there.
struct PlaceKind {
  bool is_file = false;
  bool is_removed = true;
};

Result<Entry> open_entry(const model::MountPlace& place, const PlaceKind& kind) {
  return kind.is_file ? open_file(place, Missing::kLeave) : open_directory(place, Missing::kLeave);
}

void remove(const Entry& entry, const PlaceKind& kind) {
  if (!kind.is_removed) return;
  if (kind.is_file)
    remove_empty_file(entry);
  else
    remove_if_empty(entry);
}

// Unmounts one mount. Returns false when it was no longer mounted.
Result<bool> unmount_one(const MountBelow& below, const model::MountPlace& place,
                         const PlaceKind& kind) {
  auto entry = open_entry(place, kind);
  if (!entry && entry.error().code == Code::kNotFound) return false;
  if (!entry) return std::unexpected(entry.error());
  const Numbers numbers = numbers_of(entry->fd.get());
  // An open descriptor of the mount would keep it busy, so umount2 gets the name in the parent
  // directory.
  entry->fd.reset();
  const std::string path = fmt::format("/proc/self/fd/{}/{}", entry->parent.get(), entry->name);
  const bool unmounted = ::umount2(path.c_str(), UMOUNT_NOFOLLOW) == 0;
  if (!unmounted && errno == EBUSY) return busy(below, numbers);
  // EINVAL: nothing is mounted there.
  if (!unmounted && errno != EINVAL && errno != ENOENT)
    return fail_errno(errno, fmt::format("unmount {}", below.target));
  failpoint("mounter.gone");
  remove(*entry, kind);
  return unmounted;
}

bool is_of(const mounts::MountPoint& point, const internal::VolumeDevice& device) {
  return point.device &&
         volume_of(*point.device) ==
             model::VolumeName{.volume_group = device.volume_group(), .volume = device.name()};
}

// Removes what an interrupted mount or unmount left.
Status remove_rest(const model::MountPlace& place, const PlaceKind& kind) {
  const auto entry = open_entry(place, kind);
  if (entry) remove(*entry, kind);
  if (!entry && entry.error().code != Code::kNotFound) return std::unexpected(entry.error());
  return {};
}

// The device whose node is mounted, locked against jobs for its volume. Empty when there is none
// any more.
struct LockedDevice {
  UniqueFd fd{};
  mounts::DeviceNumber number{};
};

Result<LockedDevice> lock_published_device(const model::MountPlace& place) {
  const auto file = open_file(place, Missing::kLeave);
  if (!file) return LockedDevice{};
  const auto number = numbers_of(file->fd.get()).device;
  if (!number) return LockedDevice{};
  LockedDevice device{.fd = {}, .number = *number};
  device.fd.reset(::open(fmt::format("/dev/block/{}:{}", number->major, number->minor).c_str(),
                         O_RDONLY | O_CLOEXEC));
  if (device.fd)
    if (auto locked = lock(device.fd.get(), path_of(place)); !locked)
      return std::unexpected(locked.error());
  return device;
}

Status unmount_layers(const std::vector<MountBelow>& layers, const model::MountPlace& place,
                      const PlaceKind& kind, internal::Mounts& removed) {
  for (const MountBelow& below : layers) {
    const auto unmounted = unmount_one(below, place, kind);
    if (!unmounted) return std::unexpected(unmounted.error());
    if (*unmounted) *removed.add_mounts() = describe_mount(below.point, below.target);
  }
  auto rest = remove_rest(place, kind);
  // Something that is not the driver's is at the target. It stays, and nothing is mounted there.
  if (!rest && rest.error().code == Code::kFailedPrecondition) return {};
  return rest;
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
    if (wanted.empty()) {
      const auto place = model::check_mount_target("target", job.target(), roots);
      if (!place) return std::unexpected(place.error());
      if (auto gone = remove_rest(*place, {}); !gone) return std::unexpected(gone.error());
      return internal::Mounts{};
    }
    wanted.resize(1);
  }
  internal::Mounts removed;
  for (const MountBelow& below : wanted) {
    const auto place = model::check_mount_target("target", below.target, roots);
    if (!place) return std::unexpected(place.error());
    internal::MountedVolume described = describe_mount(below.point, below.target);
    const auto unmounted = unmount_one(below, *place, {});
    if (!unmounted) return std::unexpected(unmounted.error());
    if (*unmounted) *removed.add_mounts() = std::move(described);
  }
  return removed;
}

Result<internal::Mounts> unmount(const model::KubeletTarget& target,
                                 const model::KubeletRoot& kubelet) {
  const bool is_device = target.kind == model::TargetKind::kPodDevice;
  const PlaceKind kind{.is_file = is_device, .is_removed = model::is_made_by_driver(target.kind)};
  const model::MountPlace place = place_of(target, kubelet);
  const std::string path = path_of(place);
  const auto found = mounts_below_roots(std::array{kubelet.path});
  if (!found) return std::unexpected(found.error());
  std::vector<MountBelow> layers;
  // The last mount comes first: it hides the earlier ones.
  for (const MountBelow& below : *found | std::views::reverse)
    if (below.target == path) layers.push_back(below);
  internal::Mounts removed;
  LockedDevice device;
  if (is_device && !layers.empty()) {
    auto locked = lock_published_device(place);
    if (!locked) return std::unexpected(locked.error());
    device = std::move(*locked);
  }
  auto done = unmount_layers(layers, place, kind, removed);
  if (device.fd)
    if (auto settled = settle_write_access(device.fd.get(), device.number); done) done = settled;
  if (!done) return std::unexpected(done.error());
  return removed;
}

}  // namespace lvmd::mounts::mounter
