// Limits how long the LVM library waits for udev.
#pragma once

#include <chrono>

namespace lvmd::lvm {

// The longest single wait of an LVM command for udev (P-RUN-23).
inline constexpr std::chrono::seconds kUdevLimit{30};

// The library waits, without a limit, for a semaphore that udev's rules (95-dm-notify.rules) count
// down. If udevd was stopped or killed and lost the event, the command never ends. So a program
// that links this file overrides semop(): after kUdevLimit, LVM continues as if udev had handled
// the event.
//
// Returns the number of waits that reached the limit in this process. Any thread.
[[nodiscard]] unsigned udev_waits_ended();

}  // namespace lvmd::lvm
