// Which restic is on this host, and whether transfers can use it [P-XFER-17].
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

// The first with sparse restores and with progress of restores.
inline constexpr ResticVersion kOldestRestic{.major = 0, .minor = 17, .patch = 0};

// The first whose restore can leave extended attributes out: --exclude-xattr.
inline constexpr ResticVersion kExcludesXattrs{.major = 0, .minor = 18, .patch = 0};

// Of what `restic version` prints: "restic 0.18.1 compiled with go1.24.4 on linux/amd64".
[[nodiscard]] std::optional<ResticVersion> parse_restic_version(std::string_view output);

// What to do without a restic that will do, as the end of a sentence.
inline constexpr std::string_view kWhereToGetRestic =
    "get restic from your distribution or https://restic.net, name it in lvmd.yaml's "
    "transfers.restic, and restart lvmd";

[[nodiscard]] std::string to_string(const ResticVersion& version);

// The version of that program, by what its `restic version` printed. FailedPrecondition when no
// transfer can be begun with it: why not, in one sentence that says what to do.
[[nodiscard]] Result<ResticVersion> usable_version(std::string_view program,
                                                   std::string_view output);

}  // namespace lvmd::transfers
