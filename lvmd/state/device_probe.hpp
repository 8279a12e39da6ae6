// Finds the block devices of this host that do not answer.
//
// LVM's commands read the label of every device that they may use, one after the other: one disk
// that hangs holds them up. So each device is read once by a process of its own, and whoever has
// not ended in time tells which device hangs.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::state {

// One thread. A process that hangs in the kernel is left alone until the kernel lets it go; no
// second one is started for its device.
class DeviceProbe {
 public:
  // `block_devices` is the kernel's list of devices; tests pass a folder of theirs.
  explicit DeviceProbe(std::string block_devices = "/sys/block")
      : block_devices_(std::move(block_devices)) {}

  // What a device that answers may take.
  static constexpr std::chrono::seconds kPatience{2};

  // The names below /dev ("sdb", "dm-3") of the devices that have not answered within kPatience,
  // sorted. Volumes of LVM itself are not looked at, nor devices without a size. Devices that can't
  // be opened or read have answered. Internal when no process can be started.
  [[nodiscard]] Result<std::vector<std::string>> unresponsive();

  // Devices of an earlier look that still have not answered; starts nothing and waits for nothing.
  [[nodiscard]] std::vector<std::string> still_unresponsive();

 private:
  void reap();

  std::string block_devices_;
  // By device: the process that reads it.
  std::map<std::string, pid_t> readers_;
};

// Every path of the device and of its partitions: "/dev/sdb", "/dev/sdb1", and the links that udev
// made for them.
[[nodiscard]] std::vector<std::string> paths_of(const std::string& device);

}  // namespace lvmd::state
