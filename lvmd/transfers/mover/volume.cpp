#include "lvmd/transfers/mover/volume.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <vector>

#include "lvmd/base/files.hpp"
#include "lvmd/model/mapped_name.hpp"
#include "lvmd/model/mount_rules.hpp"
#include "lvmd/probe/blankness.hpp"
#include "lvmd/probe/signatures.hpp"

// sysmacros.h defines these macros, but the message has fields with these names.
#undef major
#undef minor

namespace lvmd::transfers::mover {
namespace {

constexpr off_t kMiB = off_t{1} << 20;
constexpr off_t kPage = 4096;
constexpr off_t kBtrfsSuperblock = off_t{64} << 10;

Status zero(int fd, const std::string& path, off_t begin, off_t end) {
  const std::string zeros(static_cast<std::size_t>(std::max(end - begin, off_t{0})), '\0');
  return write_all_at(fd, zeros, begin, fmt::format("write to {}", path));
}

}  // namespace

Result<Volume> open_volume(const internal::VolumeDevice& device, const std::string& block_devices) {
  Volume volume{.path = fmt::format("/dev/dm-{}", device.minor()),
                .name = fmt::format("{}/{}", device.volume_group(), device.name()),
                .snapshot = device.snapshot()};
  const auto refuse = [&volume](std::string_view why) {
    return fail(Code::kFailedPrecondition, "cannot open volume {}: {}: check that it is active",
                volume.name, why);
  };
  volume.fd.reset(::open(volume.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!volume.fd) return refuse(errno_error(errno, volume.path).message);
  struct stat status{};
  if (::fstat(volume.fd.get(), &status) != 0) return fail_errno(errno, volume.path);
  if (!S_ISBLK(status.st_mode) || status.st_rdev != makedev(device.major(), device.minor()))
    return refuse(fmt::format("{} is not {}:{}", volume.path, device.major(), device.minor()));
  const std::string directory =
      fmt::format("{}/{}:{}/dm/", block_devices, device.major(), device.minor());
  const std::string name = first_line(directory + "name");
  const std::string uuid = first_line(directory + "uuid");
  if (name != model::mapped_name(device.volume_group(), device.name()) || !uuid.starts_with("LVM-"))
    return refuse(fmt::format("{}:{} is the device \"{}\"", device.major(), device.minor(), name));
  if (uuid != device.uuid())
    return refuse(
        fmt::format("{}:{} is another volume with that name: its uuid is {} instead of {}",
                    device.major(), device.minor(), uuid, device.uuid()));
  if (::ioctl(volume.fd.get(), BLKGETSIZE64, &volume.size_bytes) != 0)
    return fail_errno(errno, fmt::format("size of {}", volume.path));
  int read_only = 0;
  if (::ioctl(volume.fd.get(), BLKROGET, &read_only) != 0)
    return fail_errno(errno, fmt::format("permission of {}", volume.path));
  volume.read_only = read_only != 0 || !device.writable();
  return volume;
}

Result<Contents> contents_of(const std::string& device_path) {
  const auto found = probe::signatures(device_path);
  if (!found) return std::unexpected(found.error());
  Contents contents;
  if (found->empty()) {
    const auto why = probe::why_not_blank(device_path);
    if (!why) return std::unexpected(why.error());
    if (*why) contents.not_blank = (*why)->why;
    contents.in_use = *why && (*why)->in_use;
    return contents;
  }
  contents.has_signature = true;
  std::vector<std::string> types;
  for (const probe::Signature& signature : *found) types.push_back(signature.type);
  std::ranges::sort(types);
  types.erase(std::ranges::unique(types).begin(), types.end());
  contents.not_blank = fmt::format("it contains {}", fmt::join(types, " and "));
  if (types.size() != 1 ||
      std::ranges::find(model::kFileSystems, types.front()) == model::kFileSystems.end())
    return contents;
  contents.fs_type = types.front();
  auto uuid = probe::filesystem_uuid(device_path);
  if (!uuid) return std::unexpected(uuid.error());
  contents.uuid = *std::move(uuid);
  return contents;
}

Status erase_own(const std::string& device_path, const std::string& fs_type) {
  {
    const UniqueFd fd{::open(device_path.c_str(), O_RDWR | O_EXCL | O_CLOEXEC)};
    if (!fd) return fail_errno(errno, fmt::format("open {} for writing", device_path));
    const off_t size = ::lseek(fd.get(), 0, SEEK_END);
    const off_t superblock = fs_type == "btrfs" ? kBtrfsSuperblock : 0;
    if (auto done = zero(fd.get(), device_path, std::max(size - kMiB, kMiB), size); !done)
      return done;
    if (auto done = zero(fd.get(), device_path, 0, superblock); !done) return done;
    if (auto done = zero(fd.get(), device_path, superblock + kPage, std::min(kMiB, size)); !done)
      return done;
    if (::fsync(fd.get()) != 0) return fail_errno(errno, fmt::format("flush {}", device_path));
    if (auto done = zero(fd.get(), device_path, superblock, superblock + kPage); !done) return done;
    if (::fsync(fd.get()) != 0) return fail_errno(errno, fmt::format("flush {}", device_path));
  }
  return probe::make_blank(device_path);
}

}  // namespace lvmd::transfers::mover
