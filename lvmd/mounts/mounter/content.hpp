// What is on a volume, and what is made on a blank one.
#pragma once

#include <chrono>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/mounts/mounter/volume.hpp"

namespace lvmd::mounts::mounter {

// A program that makes a file system for a mounter that died is done within this, mostly. It has
// the device open exclusively until then.
inline constexpr std::chrono::seconds kFormatPatience{20};
inline constexpr std::chrono::milliseconds kFormatInterval{100};

struct ContentWish {
  // What must be there, or be made; empty: whatever can be mounted.
  std::string fs_type;
  bool format = false;
};

// The type of the volume's file system, which is made first when the volume is blank and the wish
// says so [P-MOUNT-4, P-MOUNT-7]. FailedPrecondition, naming what is there, when it is nothing that
// can be mounted or not what is wished for. The caller has locked the volume.
[[nodiscard]] Result<std::string> mountable_content(const OpenVolume& volume,
                                                    const ContentWish& wish);

}  // namespace lvmd::mounts::mounter
