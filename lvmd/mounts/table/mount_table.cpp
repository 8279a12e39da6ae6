#include "lvmd/mounts/table/mount_table.hpp"

#include <fcntl.h>
#include <libmount/libmount.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <sstream>

#include "lvmd/base/unique_c.hpp"

namespace lvmd::mounts {
namespace {

using Table = UniqueC<libmnt_table, &mnt_unref_table>;
using Iterator = UniqueC<libmnt_iter, &mnt_free_iter>;

DeviceNumber number_of(dev_t device) { return {.major = major(device), .minor = minor(device)}; }

void add_options(const char* list, std::vector<std::string>& options) {
  std::istringstream entries{list == nullptr ? "" : list};
  // Both lists contain ro or rw.
  for (std::string option; std::getline(entries, option, ',');)
    if (std::ranges::find(options, option) == options.end()) options.push_back(option);
}

MountPoint mount_point(libmnt_fs* entry, const DeviceAt& device_at) {
  const auto text = [](const char* value) { return std::string{value == nullptr ? "" : value}; };
  MountPoint mount{.target = text(mnt_fs_get_target(entry)),
                   .file_system = number_of(mnt_fs_get_devno(entry)),
                   .fs_type = text(mnt_fs_get_fstype(entry)),
                   .root = text(mnt_fs_get_root(entry)),
                   .source = text(mnt_fs_get_source(entry))};
  add_options(mnt_fs_get_vfs_options(entry), mount.options);
  add_options(mnt_fs_get_fs_options(entry), mount.options);
  mount.read_only = std::ranges::find(mount.options, "ro") != mount.options.end();
  if (mount.file_system.major != 0)
    mount.device = mount.file_system;
  else if (mount.source.starts_with("/dev/"))
    // Other paths can be on a file system that hangs, for example the source of a FUSE mount.
    mount.device = device_at(mount.source);
  return mount;
}

}  // namespace

std::optional<DeviceNumber> block_device_at(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0 || !S_ISBLK(status.st_mode)) return std::nullopt;
  return number_of(status.st_rdev);
}

Result<std::vector<MountPoint>> read_mount_table(const std::string& mountinfo,
                                                 const DeviceAt& device_at) {
  const Table table{mnt_new_table()};
  const Iterator iterator{mnt_new_iter(MNT_ITER_FORWARD)};
  if (!table || !iterator) throw std::bad_alloc{};
  if (mnt_table_parse_file(table.get(), mountinfo.c_str()) != 0)
    return fail(Code::kInternal, "cannot read {}", mountinfo);
  std::vector<MountPoint> mounts;
  libmnt_fs* entry = nullptr;
  while (mnt_table_next_fs(table.get(), iterator.get(), &entry) == 0)
    mounts.push_back(mount_point(entry, device_at));
  return mounts;
}

Result<std::shared_ptr<const std::vector<MountPoint>>> KnownMountTable::read() {
  pollfd changes{.fd = changes_.get(), .events = POLLPRI, .revents = 0};
  if (mounts_ && ::poll(&changes, 1, 0) == 0) return mounts_;
  if (!changes_) changes_.reset(::open(mountinfo_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!changes_) return fail_errno(errno, mountinfo_);
  mounts_.reset();
  auto mounts = read_mount_table(mountinfo_);
  if (!mounts) return std::unexpected(std::move(mounts.error()));
  mounts_ = std::make_shared<const std::vector<MountPoint>>(*std::move(mounts));
  return mounts_;
}

std::vector<MountPoint> mounts_below(const std::vector<MountPoint>& table,
                                     std::string_view directory) {
  std::vector<MountPoint> below;
  for (const MountPoint& mount : table)
    if (mount.target.size() > directory.size() && mount.target.starts_with(directory) &&
        mount.target[directory.size()] == '/')
      below.insert(std::ranges::upper_bound(below, mount.target, {}, &MountPoint::target), mount);
  return below;
}

const MountPoint* mounted_at(const std::vector<MountPoint>& table, std::string_view target) {
  const MountPoint* found = nullptr;
  for (const MountPoint& mount : table)
    if (mount.target == target) found = &mount;
  return found;
}

}  // namespace lvmd::mounts
