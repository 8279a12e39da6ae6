// Which processes have something of a file system open.
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
  // As ps(1) shows it: at most 15 characters.
  std::string program;

  friend bool operator==(const Process&, const Process&) = default;
};

// Every process with its working directory, its root, its program, an open file or a mapped one on
// a file system that has one of these numbers, by pid. Btrfs has several: stat(2) and the tables of
// mounts and of mappings don't agree on one. Processes that end meanwhile, and those that this one
// may not look into, are passed over: that nobody is found proves nothing. `proc` is another place
// for tests only.
[[nodiscard]] Result<std::vector<Process>> processes_using(std::span<const DeviceNumber> devices,
                                                           const std::string& proc = "/proc");

}  // namespace lvmd::mounts
