// Finds the processes that use a file system or a block device.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/mounts/table/mount_table.hpp"

namespace lvmd::mounts {

struct Process {
  pid_t pid = 0;
  // The name that ps(1) shows: at most 15 characters.
  std::string program;

  friend bool operator==(const Process&, const Process&) = default;
};

// Returns, sorted by pid, every process whose working directory, root, executable, open file or
// mapped file is on a file system with one of these device numbers. Pass all numbers of a btrfs
// file system: for btrfs, stat(2), the mount table and the table of mappings show different
// numbers.
//
// Skips processes that end during the call and those that the caller may not inspect, so an empty
// list does not prove that the file system is unused. Internal when `proc` cannot be read. `proc`
// is for tests. May be called from any thread.
[[nodiscard]] Result<std::vector<Process>> processes_using(std::span<const DeviceNumber> devices,
                                                           const std::string& proc = "/proc");

// Returns, sorted by pid, every process that has the block device open. Otherwise as
// processes_using().
[[nodiscard]] Result<std::vector<Process>> processes_with_device(DeviceNumber device,
                                                                 const std::string& proc = "/proc");

}  // namespace lvmd::mounts
