// Devices of volumes that pods use as raw block volumes: a device node, mounted on a file
// [P-CSI-39, P-CSI-40].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/mount_rules.hpp"
#include "lvmd/mounts/mounter/volume.hpp"
#include "lvmd/mounts/table/mount_table.hpp"

namespace lvmd::mounts::mounter {

// True if the mount shows the node of the device. `block_devices` is for tests.
[[nodiscard]] bool is_device_node(const mounts::MountPoint& mount, mounts::DeviceNumber device,
                                  const std::string& block_devices = "/sys/dev/block");

// Returns the mounts of the device's node. `block_devices` is for tests.
[[nodiscard]] std::vector<mounts::MountPoint> publications_of(
    const std::vector<mounts::MountPoint>& table, mounts::DeviceNumber device,
    const std::string& block_devices = "/sys/dev/block");

// True if the kernel should refuse writes to the device: it has publications, all of them are
// read-only, and no file system is mounted from it. Pure.
[[nodiscard]] bool should_be_read_only(const std::vector<mounts::MountPoint>& table,
                                       const std::vector<mounts::MountPoint>& publications,
                                       mounts::DeviceNumber device);

// Makes the device read-only or writable in the kernel, as its mounts now require. `fd` is the open
// device. The caller holds the lock of the volume. Idempotent.
[[nodiscard]] Status settle_write_access(int fd, mounts::DeviceNumber device);

// True if the file at `place` is the device.
[[nodiscard]] Result<bool> is_published_at(const OpenVolume& volume,
                                           const model::MountPlace& place);

// Mounts the device's node on the file at `place` and returns the mount, which may have existed
// before. Takes the lock of the volume; it is held until `volume` is closed. AlreadyExists when
// something else is mounted there, or the device is mounted there with other access. Idempotent.
[[nodiscard]] Result<internal::MountedVolume> publish_device(const OpenVolume& volume,
                                                             const model::MountPlace& place,
                                                             bool read_only);

}  // namespace lvmd::mounts::mounter
