#include "lvmd/mounts/mounter/staging.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/ipc/kubelet.hpp"
#include "lvmd/mounts/mounter/growing.hpp"
#include "lvmd/mounts/mounter/lock.hpp"
#include "lvmd/mounts/mounter/mounted.hpp"
#include "lvmd/mounts/mounter/mounting.hpp"
#include "lvmd/mounts/mounter/volume_mounts.hpp"

namespace lvmd::mounts::mounter {
namespace {

constexpr mode_t kModeBits = 07777;
constexpr mode_t kNewRoot = 0755;
// TopoLVM's mode: pods with any user may write, and files belong to the directory's group.
constexpr mode_t kSharedRoot = 02777;

// Completes what a new mount needs. `mount` is the staging mount.
Status complete(const OpenVolume& volume, const MountBelow& mount, const std::string& root) {
  const std::array roots{root};
  const auto table = mount_table();
  if (!table) return std::unexpected(table.error());
  // Once pods use the volume, the mode is theirs.
  const bool is_only_mount =
      std::ranges::count(**table, std::optional{volume.number}, &mounts::MountPoint::device) == 1;
  if (is_only_mount) {
    const auto opened = open_mount(mount, volume, roots);
    if (!opened) return std::unexpected(opened.error());
    const UniqueFd directory{::open(fmt::format("/proc/self/fd/{}", opened->get()).c_str(),
                                    O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!directory) return fail_errno(errno, mount.target);
    if (auto shared = share_new_root(directory.get()); !shared) return shared;
  }
  const auto grown = grow_mount(volume, mount, roots);
  return grown ? Status{} : std::unexpected(grown.error());
}

Result<MountRequest> request_of(const internal::StageVolume& job,
                                const model::KubeletTarget& target,
                                const model::KubeletRoot& kubelet) {
  const std::string new_type{job.fs_type().empty() ? model::kDefaultFileSystem
                                                   : std::string_view{job.fs_type()}};
  const std::vector<std::string> flags{job.mount_flags().begin(), job.mount_flags().end()};
  auto options = model::parse_csi_options(flags, new_type);
  if (!options) return std::unexpected(std::move(options.error()));
  const model::MountPlace place = place_of(target, kubelet);
  return MountRequest{.target = path_of(place),
                      .place = place,
                      .missing = Missing::kCreateLast,
                      .owns_directory = model::is_made_by_driver(target.kind),
                      .content = {.fs_type = job.fs_type(), .format_as = new_type},
                      .check = true,
                      .options = std::move(*options),
                      .nosuid = false,
                      .nodev = false,
                      // A clone whose source has been removed is no snapshot any more.
                      .duplicate_uuid = true};
}

}  // namespace

Status share_new_root(int directory, const Owner& owner) {
  struct stat status{};
  if (::fstat(directory, &status) != 0) return fail_errno(errno, "root directory");
  if (status.st_uid != owner.user || status.st_gid != owner.group ||
      (status.st_mode & kModeBits) != kNewRoot)
    return {};
  const auto entry = any_entry(directory, "root directory", "lost+found");
  if (!entry) return std::unexpected(entry.error());
  if (*entry) return {};
  if (::fchmod(directory, kSharedRoot) != 0) return fail_errno(errno, "mode of the root directory");
  return {};
}

Result<internal::Mounts> stage_volume(const internal::StageVolume& job,
                                      const model::KubeletRoot& kubelet) {
  const auto target = ipc::from_proto(job.target());
  if (!target) return std::unexpected(target.error());
  const auto request = request_of(job, *target, kubelet);
  if (!request) return std::unexpected(request.error());
  const auto volume = open_volume(job.device());
  if (!volume) return std::unexpected(volume.error());
  // kubelet has made the directory, and pods get the device itself.
  if (target->kind == model::TargetKind::kBlockStaging) return internal::Mounts{};
  auto mounted = mount_as_requested(*volume, *request);
  if (!mounted) return std::unexpected(std::move(mounted.error()));
  // Not held yet if the mount existed before.
  if (auto locked = lock(volume->fd.get(), "volume " + volume->name); !locked)
    return std::unexpected(locked.error());
  const MountBelow mount{
      .point = {.target = request->target, .file_system = {}, .fs_type = mounted->fs_type()},
      .target = request->target};
  if (!mounted->read_only())
    if (auto done = complete(*volume, mount, kubelet.path); !done)
      return std::unexpected(done.error());
  internal::Mounts mounts;
  *mounts.add_mounts() = std::move(*mounted);
  return mounts;
}

}  // namespace lvmd::mounts::mounter
