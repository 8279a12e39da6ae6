// A list of folders below which something may be [P-CFG-50].
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lvmd/config/mapping.hpp"

namespace lvmd::config {

// The folders in the file's order; those that break a rule are reported. Empty when the key is
// absent or its list is empty.
[[nodiscard]] std::vector<std::string> read_roots(Mapping& mapping, std::string_view key);

}  // namespace lvmd::config
