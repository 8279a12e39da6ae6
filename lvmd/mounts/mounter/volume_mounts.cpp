#include "lvmd/mounts/mounter/volume_mounts.hpp"

#include <optional>
#include <utility>

#include "lvmd/base/reason.hpp"
#include "lvmd/mounts/mounter/directory.hpp"

namespace lvmd::mounts::mounter {

std::vector<MountBelow> mounts_of(const std::vector<MountBelow>& mounts,
                                  mounts::DeviceNumber device) {
  std::vector<MountBelow> found;
  for (auto mount = mounts.begin(); mount != mounts.end(); ++mount) {
    const auto next = std::next(mount);
    const bool hidden = next != mounts.end() && next->target == mount->target;
    if (!hidden && mount->point.device == device) found.push_back(*mount);
  }
  return found;
}

Result<UniqueFd> open_mount(const MountBelow& mount, const OpenVolume& volume,
                            std::span<const std::string> roots) {
  const auto place = model::check_mount_target("target", mount.target, roots);
  if (!place) return std::unexpected(place.error());
  auto directory = open_directory(*place, Missing::kLeave);
  if (!directory && directory.error().code != Code::kNotFound)
    return std::unexpected(directory.error());
  // An open descriptor keeps the mount, so the table is read after the descriptor is open.
  const auto table = mount_table();
  if (!table) return std::unexpected(table.error());
  const mounts::MountPoint* const there =
      directory ? mounts::mounted_at(**table, directory->path) : nullptr;
  if (there == nullptr || there->device != volume.number)
    return fail(Code::kAborted, "another program unmounted volume {} from {}: try again",
                volume.name, mount.target)
        .because(reason::kNotMounted)
        .with(key::kTarget, mount.target);
  return std::move(directory->fd);
}

}  // namespace lvmd::mounts::mounter
