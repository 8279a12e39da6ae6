// Fields that sections of several kinds have.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/config_tree.hpp"

namespace lvmd::metadata {

// The section's "id" with its dashes taken out: 32 characters. Unimplemented when it isn't one.
[[nodiscard]] Result<std::string> parse_id(const ConfigSection& section);

// The list `key`, empty when absent. Unimplemented, naming the first word that isn't in `known`.
[[nodiscard]] Result<std::vector<std::string>> parse_words(const ConfigSection& section,
                                                           const char* key,
                                                           std::span<const std::string_view> known);

}  // namespace lvmd::metadata
