// Finds what uses a block device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::mounts {

// The kernel files that are read. Tests pass other paths.
struct Sources {
  std::string mountinfo = "/proc/self/mountinfo";
  std::string swaps = "/proc/swaps";
  std::string block_devices = "/sys/dev/block";
};

// Returns the known uses of the device, each as a phrase: "mounted at /data", "used as swap", "part
// of device dm-7". An empty list does not prove that the device is unused: processes that have it
// open and mounts in other mount namespaces are not found. A missing source counts as empty.
// Internal, with the path, when a source cannot be read or parsed. May be called from any thread.
[[nodiscard]] Result<std::vector<std::string>> who_uses(std::uint32_t major, std::uint32_t minor,
                                                        const Sources& sources = {});

}  // namespace lvmd::mounts
