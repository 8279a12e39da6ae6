// Reads a list of root folders [P-CFG-50].
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lvmd/config/mapping.hpp"

namespace lvmd::config {

// The folders in the order of the file. Reports folders that break a rule. Empty if the key is
// absent or the list is empty.
[[nodiscard]] std::vector<std::string> read_roots(Mapping& mapping, std::string_view key);

}  // namespace lvmd::config
