#include "lvmd/mounts/mounter/usage.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>

#include "lvmd/base/failpoint.hpp"
#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/kubelet.hpp"
#include "lvmd/mounts/mounter/file_system_errors.hpp"
#include "lvmd/mounts/mounter/lock.hpp"
#include "lvmd/mounts/mounter/published_device.hpp"
#include "lvmd/mounts/mounter/volume_mounts.hpp"

namespace lvmd::mounts::mounter {
namespace {

constexpr std::string_view kShutDown = "shutdown";

void add_error(v1::GetUsageResponse& usage, std::string_view kind, std::uint64_t count) {
  v1::FileSystemError& error = *usage.add_errors();
  error.set_kind(std::string{kind});
  error.set_count(count);
}

bool has_option(const MountBelow& mount, std::string_view option) {
  return std::ranges::find(mount.point.options, option) != mount.point.options.end();
}

Status fill_in_errors(const MountBelow& mount, const OpenVolume& volume, int root,
                      v1::GetUsageResponse& usage) {
  const UniqueFd directory{
      ::open(fmt::format("/proc/self/fd/{}", root).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  if (!directory && errno != EIO) return fail_errno(errno, mount.target);
  // An xfs that the kernel has shut down cannot be opened; an ext4 has an option since Linux 6.15.
  if (!directory || has_option(mount, kShutDown)) add_error(usage, kShutDown, 1);
  if (!directory) return {};
  const auto errors =
      recorded_errors(mount.point.fs_type, {.directory = directory.get(), .volume = volume});
  if (!errors) return std::unexpected(errors.error());
  for (const auto& [kind, count] : *errors) add_error(usage, kind, count);
  return {};
}

Status fill_in_mount(const MountBelow& mount, const OpenVolume& volume,
                     std::span<const std::string> roots, v1::GetUsageResponse& usage) {
  const auto root = open_mount(mount, volume, roots);
  if (!root) return std::unexpected(root.error());
  usage.set_target(mount.target);
  usage.set_fs_type(mount.point.fs_type);
  struct statvfs status{};
  if (::fstatvfs(root->get(), &status) == 0)
    fill_in_capacity(status, usage);
  else if (errno != EIO)
    return fail_errno(errno, "usage of " + mount.target);
  // After an error, newer kernels set this option on an ext4 instead of ro.
  usage.set_read_only(mount.point.read_only || has_option(mount, "emergency_ro"));
  return fill_in_errors(mount, volume, root->get(), usage);
}

Failure not_mounted(const OpenVolume& volume, const std::string& target) {
  return fail(Code::kFailedPrecondition,
              "volume {} is not mounted at {}: ListMounts returns its mounts", volume.name, target)
      .because(reason::kNotMounted)
      .with(key::kTarget, target);
}

}  // namespace

void fill_in_capacity(const struct statvfs& status, v1::GetUsageResponse& usage) {
  v1::Capacity& bytes = *usage.mutable_bytes();
  bytes.set_total(status.f_blocks * status.f_frsize);
  bytes.set_used((status.f_blocks - status.f_bfree) * status.f_frsize);
  bytes.set_available(status.f_bavail * status.f_frsize);
  if (status.f_files == 0) return;
  v1::Capacity& inodes = *usage.mutable_inodes();
  inodes.set_total(status.f_files);
  inodes.set_used(status.f_files - status.f_ffree);
  inodes.set_available(status.f_favail);
}

Result<v1::GetUsageResponse> usage_of(const internal::GetUsage& job,
                                      std::span<const std::string> roots,
                                      const model::KubeletRoot& kubelet) {
  std::string target = job.target();
  std::optional<model::MountPlace> published;
  if (job.has_kubelet_target()) {
    const auto of_kubelet = ipc::from_proto(job.kubelet_target());
    if (!of_kubelet) return std::unexpected(of_kubelet.error());
    model::MountPlace place = place_of(*of_kubelet, kubelet);
    target = path_of(place);
    if (of_kubelet->kind == model::TargetKind::kPodDevice) published = std::move(place);
  }
  const auto volume = open_volume(job.device());
  if (!volume) return std::unexpected(volume.error());
  // Calls for a file system that hangs must not use up the mounters: all but one end with ABORTED.
  if (auto locked = lock(volume->fd.get(), "volume " + volume->name); !locked)
    return std::unexpected(locked.error());
  failpoint("mounter.usage");
  v1::GetUsageResponse usage;
  const auto device = device_bytes(*volume);
  if (!device) return std::unexpected(device.error());
  usage.set_volume_bytes(static_cast<std::int64_t>(*device));
  usage.set_read_only(volume->read_only);
  if (published) {
    const auto is_there = is_published_at(*volume, *published);
    if (!is_there) return std::unexpected(is_there.error());
    if (!*is_there) return not_mounted(*volume, target);
    usage.set_target(target);
    return usage;
  }
  const auto below = mounts_below_roots(roots);
  if (!below) return std::unexpected(below.error());
  const auto mounts = mounts_of(*below, volume->number);
  const auto mount =
      target.empty() ? mounts.begin() : std::ranges::find(mounts, target, &MountBelow::target);
  if (mount == mounts.end() && !target.empty()) return not_mounted(*volume, target);
  if (mount == mounts.end()) return usage;
  if (auto filled = fill_in_mount(*mount, *volume, roots, usage); !filled)
    return std::unexpected(filled.error());
  return usage;
}

}  // namespace lvmd::mounts::mounter
