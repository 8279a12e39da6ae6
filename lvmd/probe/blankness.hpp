// Whether a volume is provably blank: nothing is lost when a file system is made on it
// [P-MOUNT-7].
#pragma once

#include <optional>
#include <string>

#include "lvmd/base/result.hpp"

namespace lvmd::probe {

struct NotBlank {
  // A phrase: "it has the signature ext4 at 1080".
  std::string why;
  // Somebody has it open exclusively (a mount, swap, a program that formats it): that may pass.
  bool in_use = false;

  friend bool operator==(const NotBlank&, const NotBlank&) = default;
};

// Why the device is not blank; nothing when it is: libblkid finds no signature at all, the first
// and the last MiB are zeros, and nobody has it open exclusively. Reads only. An Error when it
// can't be read, naming the path.
[[nodiscard]] Result<std::optional<NotBlank>> why_not_blank(const std::string& device_path);

}  // namespace lvmd::probe
