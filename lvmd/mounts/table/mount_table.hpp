// Reads the kernel's mount table.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::mounts {

struct DeviceNumber {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;

  friend bool operator==(const DeviceNumber&, const DeviceNumber&) = default;
};

struct MountPoint {
  std::string target;
  // The number of the mounted block device. Empty when the file system has none.
  std::optional<DeviceNumber> device{};
  // The number of the file system (st_dev). It differs from `device` for a file system such as
  // btrfs, which has a number of its own.
  DeviceNumber file_system;
  std::string fs_type;
  // The mounted part of the file system, as a path from its root: "/" for all of it. A bind mount
  // can be of a directory or of one file. The kernel appends "//deleted" if the part was removed.
  std::string root{};
  // What the kernel names as the mounted device, for example "/dev/mapper/vg-lv". It is not always
  // a path.
  std::string source{};
  // Set when the mount or the file system is read-only.
  bool read_only = false;
  // The options of the mount, then those of the file system, in the kernel's order, each once.
  std::vector<std::string> options{};

  friend bool operator==(const MountPoint&, const MountPoint&) = default;
};

// Returns the number of the block device at a path, or nothing when there is no block device. Tests
// pass another function.
using DeviceAt = std::function<std::optional<DeviceNumber>(const std::string&)>;
[[nodiscard]] std::optional<DeviceNumber> block_device_at(const std::string& path);

// Returns every mount of the table at `mountinfo` in the order in which the mounts were made: of
// two mounts at one target, the later hides the earlier. Internal, with the file's path, when the
// table cannot be read.
[[nodiscard]] Result<std::vector<MountPoint>> read_mount_table(
    const std::string& mountinfo = "/proc/self/mountinfo",
    const DeviceAt& device_at = block_device_at);

// The mount table of this process, which is read again only after the kernel has changed it. Not
// thread-safe.
class KnownMountTable {
 public:
  explicit KnownMountTable(std::string mountinfo = "/proc/self/mountinfo")
      : mountinfo_(std::move(mountinfo)) {}

  // As read_mount_table(). Contains every change before the call, except that it may still show a
  // file system as writable that the kernel has made read-only after an error.
  [[nodiscard]] Result<std::shared_ptr<const std::vector<MountPoint>>> read();

 private:
  const std::string mountinfo_;
  // Opened before the table is read: poll(2) reports changes since then.
  UniqueFd changes_;
  // Null before the table was read, and after it could not be read.
  std::shared_ptr<const std::vector<MountPoint>> mounts_;
};

// Returns the mounts strictly below `directory`, sorted by target. Mounts at one target keep their
// order.
[[nodiscard]] std::vector<MountPoint> mounts_below(const std::vector<MountPoint>& table,
                                                   std::string_view directory);

// Returns the visible mount at `target`, which is the last one. Null when nothing is mounted there.
[[nodiscard]] const MountPoint* mounted_at(const std::vector<MountPoint>& table,
                                           std::string_view target);

}  // namespace lvmd::mounts
