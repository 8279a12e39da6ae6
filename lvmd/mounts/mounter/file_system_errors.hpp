// The errors of a mounted file system that the kernel has recorded [P-MOUNT-19].
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/mounts/mounter/file_system_size.hpp"
#include "lvmd/mounts/table/mount_table.hpp"

namespace lvmd::mounts::mounter {

// A kind of error by the kernel's name for it, and how often it occurred, at least once.
struct FileSystemError {
  std::string kind;
  std::uint64_t count = 0;

  friend bool operator==(const FileSystemError&, const FileSystemError&) = default;
};

// Returns what the kernel counts for an ext4, or nothing when no ext4 is mounted from the device.
// `sysfs` is for tests.
[[nodiscard]] std::optional<std::uint64_t> ext4_error_count(mounts::DeviceNumber device,
                                                            const std::string& sysfs = "/sys");

// Returns the recorded errors of an ext4, xfs or btrfs. Other file systems have no records.
[[nodiscard]] Result<std::vector<FileSystemError>> recorded_errors(
    const std::string& fs_type, const MountedFileSystem& mounted);

}  // namespace lvmd::mounts::mounter
