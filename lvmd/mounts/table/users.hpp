// Who uses a block device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::mounts {

// Where the kernel tells about users; other places are for tests.
struct Sources {
  std::string mountinfo = "/proc/self/mountinfo";
  std::string swaps = "/proc/swaps";
  std::string block_devices = "/sys/dev/block";
};

// Everybody who can be named, each as a phrase: "mounted at /data", "used as swap", "part of device
// dm-7". Empty when nobody is found, which is no proof: a process that has the device open, or a
// mount in another mount namespace, isn't seen. Sources that don't exist count as empty; one that
// can't be read or understood is Internal, naming it.
[[nodiscard]] Result<std::vector<std::string>> who_uses(std::uint32_t major, std::uint32_t minor,
                                                        const Sources& sources = {});

}  // namespace lvmd::mounts
