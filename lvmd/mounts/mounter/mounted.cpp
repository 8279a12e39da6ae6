#include "lvmd/mounts/mounter/mounted.hpp"

#include <algorithm>
#include <utility>

#include "lvmd/mounts/mounter/directory.hpp"
#include "lvmd/mounts/mounter/volume.hpp"

namespace lvmd::mounts::mounter {

Result<std::shared_ptr<const std::vector<mounts::MountPoint>>> mount_table() {
  static mounts::KnownMountTable known;
  return known.read();
}

internal::MountedVolume describe_mount(const mounts::MountPoint& point, std::string_view target) {
  internal::MountedVolume described;
  described.set_target(std::string{target});
  described.set_fs_type(point.fs_type);
  described.set_read_only(point.read_only);
  described.mutable_options()->Assign(point.options.begin(), point.options.end());
  if (!point.device) return described;
  described.set_major(point.device->major);
  described.set_minor(point.device->minor);
  if (auto volume = volume_of(*point.device)) {
    described.set_volume_group(std::move(volume->volume_group));
    described.set_name(std::move(volume->volume));
  }
  return described;
}

Result<std::vector<MountBelow>> mounts_below_roots(std::span<const std::string> roots) {
  const auto table = mount_table();
  if (!table) return std::unexpected(table.error());
  std::vector<MountBelow> found;
  for (const std::string& root : roots) {
    const auto resolved = resolved_root(root, Missing::kLeave);
    if (!resolved && resolved.error().code == Code::kNotFound) continue;
    if (!resolved) return std::unexpected(resolved.error());
    for (mounts::MountPoint& point : mounts::mounts_below(**table, *resolved)) {
      std::string target = root + point.target.substr(resolved->size());
      const auto place = std::ranges::upper_bound(found, target, {}, &MountBelow::target);
      found.insert(place, MountBelow{.point = std::move(point), .target = std::move(target)});
    }
  }
  return found;
}

Result<internal::Mounts> list_mounts(std::span<const std::string> roots) {
  const auto found = mounts_below_roots(roots);
  if (!found) return std::unexpected(found.error());
  internal::Mounts mounts;
  for (const auto& [point, target] : *found) *mounts.add_mounts() = describe_mount(point, target);
  return mounts;
}

}  // namespace lvmd::mounts::mounter
