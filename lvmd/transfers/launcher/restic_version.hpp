// The version of the host's restic, and whether transfers can use it [P-XFER-17].
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::transfers {

struct ResticVersion {
  int major = 0;
  int minor = 0;
  int patch = 0;

  friend auto operator<=>(const ResticVersion&, const ResticVersion&) = default;
};

// The first version with sparse restores and with progress of restores.
inline constexpr ResticVersion kOldestRestic{.major = 0, .minor = 17, .patch = 0};

// The first version whose restore can exclude extended attributes: --exclude-xattr.
inline constexpr ResticVersion kExcludesXattrs{.major = 0, .minor = 18, .patch = 0};

// Parses the output of `restic version`: "restic 0.18.1 compiled with go1.24.4 on linux/amd64".
[[nodiscard]] std::optional<ResticVersion> parse_restic_version(std::string_view output);

// What to do without a suitable restic, as the end of a sentence.
inline constexpr std::string_view kWhereToGetRestic =
    "install restic from your distribution or https://restic.net, set its path in "
    "transfers.restic of lvmd.yaml, and restart lvmd";

[[nodiscard]] std::string to_string(const ResticVersion& version);

// The version of the program by its output of `restic version`. FailedPrecondition when transfers
// can't use it; the message says why and what to do.
[[nodiscard]] Result<ResticVersion> usable_version(std::string_view program,
                                                   std::string_view output);

}  // namespace lvmd::transfers
