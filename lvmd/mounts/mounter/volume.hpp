// Logical volumes in the kernel.
#pragma once

#include <optional>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"
#include "lvmd/model/mapped_name.hpp"
#include "lvmd/mounts/table/mount_table.hpp"

namespace lvmd::mounts::mounter {

// Returns the logical volume whose device has this number, or nothing for other devices and for
// hidden layers of volumes. `block_devices` is for tests.
[[nodiscard]] std::optional<model::VolumeName> volume_of(
    mounts::DeviceNumber device, const std::string& block_devices = "/sys/dev/block");

// An open logical volume.
struct OpenVolume {
  // Open for reading. The kernel does not reuse the device number while it is open.
  UniqueFd fd{};
  // The path of the device, which mount(8) shows as the source.
  std::string path{};
  // "vg0/pvc-1".
  std::string name;
  mounts::DeviceNumber number;
  // Read-only in LVM's metadata or in the kernel.
  bool read_only = false;
  bool snapshot = false;
};

// Opens the device. FailedPrecondition unless it is the device of that volume [P-MOUNT-3].
[[nodiscard]] Result<OpenVolume> open_volume(const internal::VolumeDevice& device);

}  // namespace lvmd::mounts::mounter
