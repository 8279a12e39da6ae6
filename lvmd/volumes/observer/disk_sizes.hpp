// Tells a disk that has appeared or gone from one that was written to: to the kernel each is a
// change.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>

namespace lvmd::volumes::observer {

// Block devices that can be PVs; LVM's own volumes are left out. Reads sysfs alone, so it never
// waits for a disk. One thread.
class DiskSizes {
 public:
  enum class Change { kNone, kAppeared, kGone };

  // Knows the disks that are there now.
  explicit DiskSizes(std::filesystem::path sysfs = "/sys");

  // What has become of the disk since it was last looked at. One with another size has appeared: a
  // node can get another disk (a loop device, for one).
  [[nodiscard]] Change look(dev_t device);

 private:
  std::filesystem::path sysfs_;
  // In sectors; 0 is not in it.
  std::map<dev_t, std::uint64_t> sizes_;
};

}  // namespace lvmd::volumes::observer
