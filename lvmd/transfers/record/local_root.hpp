// Where repositories may be on this host: `transfers.local-roots` of lvmd.yaml [P-XFER-18].
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::transfers {

// `location` is one that check_location() takes. InvalidArgument, naming `field` and the roots, for
// a path that is not strictly below one of them. One that is not local is fine.
[[nodiscard]] Status check_below_roots(std::string_view field, std::string_view location,
                                       std::span<const std::string> roots);

}  // namespace lvmd::transfers
