// Finds and removes the signatures that file systems, partition tables and other formats leave on a
// device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::probe {

// The number of bytes at the start of a device that make_blank() zeroes and why_not_blank() reads.
inline constexpr std::size_t kBlankStart = std::size_t{1} << 20;

struct Signature {
  // The name of the format in libblkid: "ext4", "LVM2_member", "gpt".
  std::string type;
  // The class of the format in libblkid: "filesystem", "raid", "crypto", "other"; or "partition
  // table".
  std::string usage;
  // The offset of the magic number in bytes from the start of the device.
  std::uint64_t offset = 0;

  friend bool operator==(const Signature&, const Signature&) = default;
};

// Returns every signature that libblkid detects, including damaged ones and copies. Empty when
// there is none. Only reads. Blocks the calling thread until the device answers. Errors contain the
// path.
[[nodiscard]] Result<std::vector<Signature>> signatures(const std::string& device_path);

// Returns the UUID of the file system in lower case, or nothing when the device has no file system
// or a file system without a UUID. FailedPrecondition when libblkid finds several file systems.
// Only reads. Errors contain the path.
[[nodiscard]] Result<std::optional<std::string>> filesystem_uuid(const std::string& device_path);

// Overwrites the first MiB with zeros, so that why_not_blank() finds nothing that the extents held
// before, and every signature, and flushes the device. Opens the device exclusively:
// FailedPrecondition when it is in use. Internal when signatures are still found after a fixed
// number of rounds. Idempotent.
[[nodiscard]] Status make_blank(const std::string& device_path);

}  // namespace lvmd::probe
