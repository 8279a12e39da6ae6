#include "lvmd/mounts/table/users.hpp"

#include <fmt/format.h>
#include <libmount/libmount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>

#include "lvmd/base/files.hpp"
#include "lvmd/base/unique_c.hpp"
#include "lvmd/mounts/table/mount_table.hpp"

namespace lvmd::mounts {
namespace {

namespace fs = std::filesystem;

using Table = UniqueC<libmnt_table, &mnt_unref_table>;
using Iterator = UniqueC<libmnt_iter, &mnt_free_iter>;

// Calls `visit` for each swap area in the table at `path`.
template <typename Visit>
Status for_each_swap(const std::string& path, Visit visit) {
  if (!fs::exists(path)) return {};
  const Table table{mnt_new_table()};
  const Iterator iterator{mnt_new_iter(MNT_ITER_FORWARD)};
  if (!table || !iterator) throw std::bad_alloc{};
  if (mnt_table_parse_swaps(table.get(), path.c_str()) != 0)
    return fail(Code::kInternal, "cannot read {}", path);
  libmnt_fs* entry = nullptr;
  while (mnt_table_next_fs(table.get(), iterator.get(), &entry) == 0) visit(entry);
  return {};
}

// A missing table counts as an empty one.
Result<std::vector<MountPoint>> mounts_in(const std::string& path,
                                          const DeviceAt& device_at = block_device_at) {
  if (!fs::exists(path)) return std::vector<MountPoint>{};
  return read_mount_table(path, device_at);
}

bool is_device_node(const char* path, dev_t device) {
  struct stat status{};
  return path != nullptr && ::stat(path, &status) == 0 &&
         (S_ISBLK(status.st_mode) || S_ISCHR(status.st_mode)) && status.st_rdev == device;
}

std::string directory_of(std::uint32_t major, std::uint32_t minor, const Sources& sources) {
  return fmt::format("{}/{}:{}", sources.block_devices, major, minor);
}

// The device's nodes, as paths from the root of devtmpfs. The kernel makes the first one. Without
// udev, libdevmapper makes the second one, which is a link otherwise.
std::vector<std::string> node_paths(const std::string& directory) {
  constexpr std::string_view kKernelsName = "DEVNAME=";
  std::vector<std::string> paths;
  std::ifstream properties{directory + "/uevent"};
  for (std::string line; std::getline(properties, line);)
    if (line.starts_with(kKernelsName)) paths.push_back("/" + line.substr(kKernelsName.size()));
  if (const std::string mapped = first_line(directory + "/dm/name"); !mapped.empty())
    paths.push_back("/mapper/" + mapped);
  return paths;
}

void add_node_mounts(const std::vector<MountPoint>& mounts, const std::string& directory,
                     std::vector<std::string>& users) {
  const std::vector<std::string> paths = node_paths(directory);
  for (const MountPoint& mount : mounts)
    if (mount.fs_type == "devtmpfs" && std::ranges::find(paths, mount.root) != paths.end())
      users.push_back(fmt::format("device node mounted at {}", mount.target));
}

void sort_and_unite(std::vector<std::string>& users) {
  std::ranges::sort(users);
  users.erase(std::ranges::unique(users).begin(), users.end());
}

// Adds the devices that are stacked on this one.
Status add_holders(const std::string& directory, std::vector<std::string>& users) {
  std::error_code error;
  fs::directory_iterator holder{directory, error};
  if (error == std::errc::no_such_file_or_directory) return {};
  for (; !error && holder != fs::directory_iterator{}; holder.increment(error))
    users.push_back(fmt::format("part of device {}", holder->path().filename().string()));
  if (error) return fail(Code::kInternal, "cannot read {}: {}", directory, error.message());
  return {};
}

}  // namespace

Result<std::vector<std::string>> who_uses(std::uint32_t major, std::uint32_t minor,
                                          const Sources& sources) {
  const dev_t device = makedev(major, minor);
  const std::string directory = directory_of(major, minor, sources);
  std::vector<std::string> users;
  const auto mounts = mounts_in(sources.mountinfo);
  if (!mounts) return std::unexpected(mounts.error());
  for (const MountPoint& mount : *mounts)
    if (mount.device == DeviceNumber{.major = major, .minor = minor})
      users.push_back(fmt::format("mounted at {}", mount.target));
  add_node_mounts(*mounts, directory, users);
  const auto swaps = for_each_swap(sources.swaps, [&](libmnt_fs* entry) {
    if (is_device_node(mnt_fs_get_source(entry), device)) users.emplace_back("used as swap");
  });
  if (!swaps) return std::unexpected(swaps.error());
  if (auto added = add_holders(directory + "/holders", users); !added)
    return std::unexpected(added.error());
  sort_and_unite(users);
  return users;
}

Result<std::vector<std::string>> node_mounts(std::uint32_t major, std::uint32_t minor,
                                             const Sources& sources) {
  const auto mounts =
      mounts_in(sources.mountinfo, [](const std::string& /*path*/) { return std::nullopt; });
  if (!mounts) return std::unexpected(mounts.error());
  std::vector<std::string> users;
  add_node_mounts(*mounts, directory_of(major, minor, sources), users);
  sort_and_unite(users);
  return users;
}

}  // namespace lvmd::mounts
