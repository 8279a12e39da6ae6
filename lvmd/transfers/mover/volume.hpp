// The logical volume of a transfer, as the kernel knows it now.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::transfers::mover {

struct Volume {
  // For reading. While it is open its number can't become another device's.
  UniqueFd fd;
  // "/dev/dm-7".
  std::string path;
  // "vg0/pvc-1".
  std::string name;
  std::uint64_t size_bytes = 0;
  bool read_only = false;
  // A file system that came with it has the UUID of another volume's.
  bool snapshot = false;
};

// FailedPrecondition unless the device of that number is that volume's: by the name and the uuid
// that device-mapper has for it, asked while it is open. `block_devices` is another place for tests
// only.
[[nodiscard]] Result<Volume> open_volume(const internal::VolumeDevice& device,
                                         const std::string& block_devices = "/sys/dev/block");

// What is on it.
struct Contents {
  // Of a file system that can be mounted.
  std::optional<std::string> fs_type;
  // Of that file system.
  std::optional<std::string> uuid;
  // Why it isn't blank [P-MOUNT-7], as a phrase; absent when it is.
  std::optional<std::string> not_blank;
  // libblkid knows something of what is on it.
  bool has_signature = false;
  // Somebody has it open exclusively, and so nobody could look further.
  bool in_use = false;
};

[[nodiscard]] Result<Contents> contents_of(const std::string& device_path);

// What the caller has proved to be its own goes: afterwards the device is blank. Where a file
// system of that type has its UUID goes last; "": the first page does.
[[nodiscard]] Status erase_own(const std::string& device_path, const std::string& fs_type);

}  // namespace lvmd::transfers::mover
