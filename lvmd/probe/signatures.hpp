// Which file systems, partition tables and other formats leave a mark on a device, and their
// removal.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::probe {

struct Signature {
  // libblkid's name of the format: "ext4", "LVM2_member", "gpt".
  std::string type;
  // libblkid's class of it: "filesystem", "raid", "crypto", "other"; "partition table".
  std::string usage;
  // Of the mark itself, in bytes from the device's start.
  std::uint64_t offset = 0;

  friend bool operator==(const Signature&, const Signature&) = default;
};

// Every signature that libblkid knows, damaged ones and copies too; empty when there is none.
// Reads only. Blocks for as long as the device takes; errors name the path.
[[nodiscard]] Result<std::vector<Signature>> signatures(const std::string& device_path);

// Overwrites the first 4096 bytes, as lvcreate does, and every signature, flushes, and looks again
// until there is none. Opens the device exclusively: FailedPrecondition when somebody uses it.
// Internal when signatures are still found after a fixed number of rounds. Idempotent.
[[nodiscard]] Status make_blank(const std::string& device_path);

}  // namespace lvmd::probe
