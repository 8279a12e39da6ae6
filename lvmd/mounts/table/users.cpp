#include "lvmd/mounts/table/users.hpp"

#include <fmt/format.h>
#include <libmount/libmount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <system_error>

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
Result<std::vector<MountPoint>> mounts_in(const std::string& path) {
  if (!fs::exists(path)) return std::vector<MountPoint>{};
  return read_mount_table(path);
}

bool is_device_node(const char* path, dev_t device) {
  struct stat status{};
  return path != nullptr && ::stat(path, &status) == 0 &&
         (S_ISBLK(status.st_mode) || S_ISCHR(status.st_mode)) && status.st_rdev == device;
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
  std::vector<std::string> users;
  const auto mounts = mounts_in(sources.mountinfo);
  if (!mounts) return std::unexpected(mounts.error());
  for (const MountPoint& mount : *mounts)
    if (mount.device == DeviceNumber{.major = major, .minor = minor})
      users.push_back(fmt::format("mounted at {}", mount.target));
  const auto swaps = for_each_swap(sources.swaps, [&](libmnt_fs* entry) {
    if (is_device_node(mnt_fs_get_source(entry), device)) users.emplace_back("used as swap");
  });
  if (!swaps) return std::unexpected(swaps.error());
  if (auto added =
          add_holders(fmt::format("{}/{}:{}/holders", sources.block_devices, major, minor), users);
      !added)
    return std::unexpected(added.error());
  std::ranges::sort(users);
  users.erase(std::ranges::unique(users).begin(), users.end());
  return users;
}

}  // namespace lvmd::mounts
