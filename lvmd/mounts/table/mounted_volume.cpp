#include "lvmd/mounts/table/mounted_volume.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "lvmd/base/files.hpp"

namespace lvmd::mounts {
namespace {

constexpr std::string_view kDev = "/dev";
constexpr std::string_view kMapped = "/mapper/";
constexpr std::string_view kNumbered = "dm-";

std::optional<model::VolumeName> volume_at(const std::filesystem::path& device) {
  return model::parse_mapped_name(first_line(device / "dm" / "name"));
}

// `node` is a path below /dev. The kernel appends "//deleted" to that of a removed node.
std::optional<model::VolumeName> volume_of_node(std::string_view node,
                                                const std::filesystem::path& sysfs) {
  const std::string_view name = node.substr(node.rfind('/') + 1);
  if (node == fmt::format("{}{}", kMapped, name)) return model::parse_mapped_name(name);
  if (node == fmt::format("/{}", name) && name.starts_with(kNumbered))
    return volume_at(sysfs / "block" / name);
  return std::nullopt;
}

// btrfs keeps the path by which mkfs or a scan named the device, also if that is LVM's link
// "/VG/LV". A link of another program looks the same, but its folder is no volume group of lvmd.
std::optional<model::VolumeName> volume_of_link(std::string_view node) {
  const std::size_t slash = node.find('/', 1);
  if (slash == std::string_view::npos || node.starts_with(kMapped)) return std::nullopt;
  const std::string_view group = node.substr(1, slash - 1);
  const std::string_view volume = node.substr(slash + 1);
  if (group.empty() || volume.empty() || volume.contains('/')) return std::nullopt;
  return model::VolumeName{.volume_group = std::string{group}, .volume = std::string{volume}};
}

}  // namespace

std::optional<model::VolumeName> volume_of(const MountPoint& mount,
                                           const std::filesystem::path& sysfs) {
  const DeviceNumber number = mount.file_system;
  if (number.major != 0)
    return volume_at(sysfs / "dev" / "block" / fmt::format("{}:{}", number.major, number.minor));
  if (mount.fs_type == "devtmpfs") return volume_of_node(mount.root, sysfs);
  // A file system with a number of its own, such as btrfs.
  const std::string_view source = mount.source;
  if (!source.starts_with(kDev)) return std::nullopt;
  const std::string_view node = source.substr(kDev.size());
  auto volume = volume_of_node(node, sysfs);
  return volume ? volume : volume_of_link(node);
}

}  // namespace lvmd::mounts
