// Decides whether a volume is provably blank, so that a new file system destroys no data
// [P-MOUNT-7].
#pragma once

#include <optional>
#include <string>

#include "lvmd/base/result.hpp"

namespace lvmd::probe {

struct NotBlank {
  // The rest of a sentence about the device: "it has the signature ext4 at 1080".
  std::string why;
  // A mount, swap or another program holds the device exclusively. This may be temporary.
  bool in_use = false;

  friend bool operator==(const NotBlank&, const NotBlank&) = default;
};

// Returns why the device is not blank, or nothing when it is blank. A device is blank when libblkid
// finds no signature, the first MiB is zeros, and no mount or other exclusive opener holds it. The
// end of the device does not count beyond its signatures: a thick volume that has grown ends with
// what its new extents held before.
//
// Only reads. Returns an Error that contains the path when the device cannot be read. Blocks the
// calling thread until the device answers. May be called from any thread.
[[nodiscard]] Result<std::optional<NotBlank>> why_not_blank(const std::string& device_path);

}  // namespace lvmd::probe
