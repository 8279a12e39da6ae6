// A suggestion for a misspelt key.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lvmd::config {

// The key that needs the fewest single-character changes to become `misspelt`; absent when even
// that one needs more than a third of the misspelt's length (at least 2).
[[nodiscard]] std::optional<std::string> nearest_key(std::string_view misspelt,
                                                     const std::vector<std::string>& keys);

}  // namespace lvmd::config
