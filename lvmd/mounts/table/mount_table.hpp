// What is mounted, as the kernel's table has it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::mounts {

struct DeviceNumber {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;

  friend bool operator==(const DeviceNumber&, const DeviceNumber&) = default;
};

struct MountPoint {
  std::string target;
  // Of the block device; nothing when there is none.
  std::optional<DeviceNumber> device;
  // Of the file system as a whole; its own for one without a device of its own, such as btrfs.
  DeviceNumber file_system;
  std::string fs_type;
  // The mount or its file system is read-only.
  bool read_only = false;
  // Those of the mount, then those of the file system, in the kernel's order.
  std::vector<std::string> options;

  friend bool operator==(const MountPoint&, const MountPoint&) = default;
};

// The block device at a path; nothing when there is none. Another one is for tests.
using DeviceAt = std::function<std::optional<DeviceNumber>(const std::string&)>;
[[nodiscard]] std::optional<DeviceNumber> block_device_at(const std::string& path);

// Every mount of the table at `mountinfo`, in the order in which they were made: of two at one
// target the later hides the earlier. Internal, naming the file, when it can't be read.
[[nodiscard]] Result<std::vector<MountPoint>> read_mount_table(
    const std::string& mountinfo = "/proc/self/mountinfo",
    const DeviceAt& device_at = block_device_at);

// Those strictly below `folder`, sorted by target; the order of two at one target is kept.
[[nodiscard]] std::vector<MountPoint> mounts_below(const std::vector<MountPoint>& table,
                                                   std::string_view folder);

// What somebody sees who looks at `target`: the last mount there. Null when nothing is mounted.
[[nodiscard]] const MountPoint* mounted_at(const std::vector<MountPoint>& table,
                                           std::string_view target);

}  // namespace lvmd::mounts
