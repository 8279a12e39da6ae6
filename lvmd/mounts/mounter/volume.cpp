#include "lvmd/mounts/mounter/volume.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstddef>
#include <string_view>
#include <system_error>

#include "lvmd/base/files.hpp"
#include "lvmd/base/reason.hpp"

namespace lvmd::mounts::mounter {
namespace {

// "LVM-", the VG's id and the LV's id. The uuids of hidden layers have a suffix.
constexpr std::size_t kVolumeUuidLength = 4 + 32 + 32;

bool is_device(const std::string& path, mounts::DeviceNumber number) {
  return mounts::block_device_at(path) == number;
}

Failure not_active(const OpenVolume& volume, std::string_view why) {
  return fail(Code::kFailedPrecondition, "volume {} is not active as device {}:{}: {}: try again",
              volume.name, volume.number.major, volume.number.minor, why)
      .because(reason::kVolumeInactive);
}

}  // namespace

std::optional<model::VolumeName> volume_of(mounts::DeviceNumber device,
                                           const std::string& block_devices) {
  const std::string directory =
      fmt::format("{}/{}:{}/dm/", block_devices, device.major, device.minor);
  const std::string uuid = first_line(directory + "uuid");
  if (!uuid.starts_with("LVM-") || uuid.size() != kVolumeUuidLength) return std::nullopt;
  return model::parse_mapped_name(first_line(directory + "name"));
}

Result<OpenVolume> open_volume(const internal::VolumeDevice& device) {
  OpenVolume volume{.name = fmt::format("{}/{}", device.volume_group(), device.name()),
                    .number = {.major = device.major(), .minor = device.minor()},
                    .read_only = !device.writable(),
                    .snapshot = device.snapshot()};
  const std::string mapped =
      "/dev/mapper/" + model::mapped_name(device.volume_group(), device.name());
  const std::string numbered =
      fmt::format("/dev/block/{}:{}", volume.number.major, volume.number.minor);
  // Prefers the path that is readable in mount tables, if udev has created it.
  volume.path = is_device(mapped, volume.number) ? mapped : numbered;
  volume.fd.reset(::open(volume.path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!volume.fd) return not_active(volume, std::generic_category().message(errno));
  if (!is_device(fmt::format("/proc/self/fd/{}", volume.fd.get()), volume.number))
    return not_active(volume, fmt::format("{} is another device", volume.path));
  // The check runs while the device is open, because the kernel cannot reuse the number until it is
  // closed.
  const auto found = volume_of(volume.number);
  if (found != model::VolumeName{.volume_group = device.volume_group(), .volume = device.name()})
    return not_active(volume, found ? fmt::format("that device is volume {}/{}",
                                                  found->volume_group, found->volume)
                                    : std::string{"that device is not a logical volume"});
  int read_only = 0;
  if (::ioctl(volume.fd.get(), BLKROGET, &read_only) == 0 && read_only != 0)
    volume.read_only = true;
  return volume;
}

}  // namespace lvmd::mounts::mounter
