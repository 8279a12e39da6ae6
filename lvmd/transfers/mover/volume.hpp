// The logical volume of a transfer, as the kernel reports it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/base/unique_fd.hpp"

namespace lvmd::transfers::mover {

// An open logical volume.
struct Volume {
  // Open for reading. The kernel does not reuse the device number while it is open.
  UniqueFd fd{};
  // "/dev/dm-7".
  std::string path;
  // "vg0/pvc-1".
  std::string name;
  std::uint64_t size_bytes = 0;
  bool read_only = false;
  // The volume is a snapshot: its file system has the same UUID as the source's.
  bool snapshot = false;
};

// Opens the device. FailedPrecondition unless it is the device of that volume, by its name and uuid
// in device-mapper. These are read while the device is open. `block_devices` is for tests.
[[nodiscard]] Result<Volume> open_volume(const internal::VolumeDevice& device,
                                         const std::string& block_devices = "/sys/dev/block");

// The content of a volume.
struct Contents {
  // The type of a file system that lvmd can mount.
  std::optional<std::string> fs_type;
  // The UUID of that file system.
  std::optional<std::string> uuid;
  // Why the volume is not blank [P-MOUNT-7], as the rest of a sentence; empty when it is blank.
  std::optional<std::string> not_blank;
  // libblkid finds a signature on the volume.
  bool has_signature = false;
  // A mount or another program holds the volume exclusively, so nothing else was checked.
  bool in_use = false;
};

// Examines the content of a device. Only reads.
[[nodiscard]] Result<Contents> contents_of(const std::string& device_path);

// Erases content that the caller has proved to be its own. Afterwards the device is blank. The
// block with the UUID of a file system of type `fs_type` is erased last, so that an interrupted
// erase can be repeated; with an empty type, the first page is.
[[nodiscard]] Status erase_own(const std::string& device_path, const std::string& fs_type);

}  // namespace lvmd::transfers::mover
