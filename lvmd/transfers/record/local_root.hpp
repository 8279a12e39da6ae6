// Checks that a local repository is below one of `transfers.local-roots` [P-XFER-18].
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::transfers {

// `location` must have passed check_location(). InvalidArgument, with `field` and the roots, for a
// local path that is not strictly below a root. Accepts every location that is not local.
[[nodiscard]] Status check_below_roots(std::string_view field, std::string_view location,
                                       std::span<const std::string> roots);

}  // namespace lvmd::transfers
