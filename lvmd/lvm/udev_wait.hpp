// Bounding how long the LVM library waits for udev.
#pragma once

#include <chrono>

namespace lvmd::lvm {

// How long an LVM command waits for udev to handle an event, each time.
inline constexpr std::chrono::seconds kUdevLimit{30};

// The library waits for a semaphore that udev's rules (95-dm-notify.rules) count down, and without
// a limit: an event that udevd lost, because it was stopped or killed, holds the command for ever.
// A program that links this file has a semop() of its own. When such a wait is over kUdevLimit, LVM
// goes on as if udev had handled the event.
//
// Returns how many waits were ended in this process. Any thread.
[[nodiscard]] unsigned udev_waits_ended();

}  // namespace lvmd::lvm
