// Identifies the content of a volume and formats a blank one.
#pragma once

#include <chrono>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/mounts/mounter/volume.hpp"

namespace lvmd::mounts::mounter {

// A mounter that dies can leave a mkfs program behind, which holds the device exclusively until it
// ends. It usually ends within this time.
inline constexpr std::chrono::seconds kFormatPatience{20};
inline constexpr std::chrono::milliseconds kFormatInterval{100};

struct ContentSpec {
  // The required file system type. Empty: any type that lvmd can mount.
  std::string fs_type;
  // The type of the file system to create on a blank volume. Empty: create none.
  std::string format_as{};
};

// Returns the type of the file system on the volume. When the volume is blank and
// `spec.format_as` is set, creates a file system first [P-MOUNT-4, P-MOUNT-7]. FailedPrecondition,
// with the content found, when lvmd cannot mount it or its type is not `spec.fs_type`. The caller
// holds the lock of the volume. Blocks the calling thread.
[[nodiscard]] Result<std::string> mountable_content(const OpenVolume& volume,
                                                    const ContentSpec& spec);

}  // namespace lvmd::mounts::mounter
