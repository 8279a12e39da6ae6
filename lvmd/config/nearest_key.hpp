// Suggests a key for a misspelt one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lvmd::config {

// The key with the smallest edit distance to `misspelt`. Absent if the distance is more than a
// third of the length of `misspelt`, or more than 2 if that is larger.
[[nodiscard]] std::optional<std::string> nearest_key(std::string_view misspelt,
                                                     const std::vector<std::string>& keys);

}  // namespace lvmd::config
