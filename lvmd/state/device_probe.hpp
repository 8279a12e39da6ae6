// Finds the block devices of this host that do not respond.
//
// LVM's commands read the label of every device that they may use, one after another, so one
// hanging disk blocks them. The probe reads each device in a separate process. If a process does
// not end in time, its device hangs.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::state {

// Not thread-safe. A process that hangs in the kernel stays until the kernel ends its read.
// Meanwhile no other process is started for its device.
class DeviceProbe {
 public:
  // `block_devices` is the kernel's list of devices. Tests use another folder.
  explicit DeviceProbe(std::string block_devices = "/sys/block")
      : block_devices_(std::move(block_devices)) {}

  // The time limit for a read.
  static constexpr std::chrono::seconds kPatience{2};

  // The sorted names below /dev ("sdb", "dm-3") of the devices that did not respond within
  // kPatience. Skips LVM's volumes and devices without a size. A device that cannot be opened, or
  // whose read fails, has responded. Blocks for at most kPatience. Internal if a process cannot be
  // started.
  [[nodiscard]] Result<std::vector<std::string>> unresponsive();

  // The devices of earlier calls that still do not respond. Starts no process and does not block.
  [[nodiscard]] std::vector<std::string> still_unresponsive();

 private:
  void reap();

  std::string block_devices_;
  // The reading process of each device.
  std::map<std::string, pid_t> readers_;
};

// All paths of the device and its partitions, sorted: "/dev/sdb", "/dev/sdb1" and udev's links.
[[nodiscard]] std::vector<std::string> paths_of(const std::string& device);

}  // namespace lvmd::state
