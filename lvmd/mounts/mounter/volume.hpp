// Logical volumes as the kernel knows them now.
#pragma once

#include <optional>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/model/mapped_name.hpp"
#include "lvmd/mounts/table/mount_table.hpp"

namespace lvmd::mounts::mounter {

// The volume whose device has this number; nothing for other devices and for the hidden layers of
// volumes. `block_devices` is another place for tests only.
[[nodiscard]] std::optional<model::VolumeName> volume_of(
    mounts::DeviceNumber device, const std::string& block_devices = "/sys/dev/block");

struct OpenVolume {
  // For reading. As long as it is open the number stays this volume's.
  UniqueFd fd;
  // Of the device: what mount(8) shows as the source.
  std::string path;
  // "vg0/pvc-1".
  std::string name;
  mounts::DeviceNumber number;
  // In LVM's metadata or in the kernel.
  bool read_only = false;
  bool snapshot = false;
};

// FailedPrecondition unless the device of that number is that volume's [P-MOUNT-3].
[[nodiscard]] Result<OpenVolume> open_volume(const internal::VolumeDevice& device);

}  // namespace lvmd::mounts::mounter
