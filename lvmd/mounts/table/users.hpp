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
// of device dm-7", or one of node_mounts(). An empty list does not prove that the device is unused:
// processes that have it open and mounts in other mount namespaces are not found. A missing source
// counts as empty. Internal, with the path, when a source cannot be read or parsed. May be called
// from any thread.
[[nodiscard]] Result<std::vector<std::string>> who_uses(std::uint32_t major, std::uint32_t minor,
                                                        const Sources& sources = {});

// Returns the bind mounts of the device's node, each as a phrase: "device node mounted at
// /run/volume". A raw block volume of a pod is such a mount. It does not keep the device open.
// Finds the nodes of devtmpfs, by their names. A missing source counts as empty. Internal, with the
// path, when the mount table cannot be read. Accesses no mounted path, so no other file system can
// block the call. May be called from any thread.
[[nodiscard]] Result<std::vector<std::string>> node_mounts(std::uint32_t major, std::uint32_t minor,
                                                           const Sources& sources = {});

}  // namespace lvmd::mounts
