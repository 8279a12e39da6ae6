// Distinguishes a disk that has appeared or disappeared from a disk that was written to. The kernel
// reports all of them as a change.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>

namespace lvmd::volumes::observer {

// The sizes of block devices that can be PVs, without LVM volumes. Reads only sysfs, so it never
// waits for a disk. One thread.
class DiskSizes {
 public:
  enum class Change { kNone, kAppeared, kGone };

  // Reads the sizes of all current disks.
  explicit DiskSizes(std::filesystem::path sysfs = "/sys");

  // The change of the disk since the last call, or the constructor. A disk with a different size
  // has appeared: the same device number can be a different disk now, for example a loop device.
  [[nodiscard]] Change update(dev_t device);

 private:
  std::filesystem::path sysfs_;
  // In sectors; without disks of size 0.
  std::map<dev_t, std::uint64_t> sizes_;
};

}  // namespace lvmd::volumes::observer
