// Fields that occur in several kinds of sections.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/config_tree.hpp"

namespace lvmd::metadata {

// The section's "id" without dashes: 32 characters. Unimplemented if it is not an LVM UUID.
[[nodiscard]] Result<std::string> parse_id(const ConfigSection& section);

// The list of flags `key`; empty if there is no such key. Unimplemented if a flag is not in
// `known`; the message names the flag.
[[nodiscard]] Result<std::vector<std::string>> parse_flags(const ConfigSection& section,
                                                           std::string_view key,
                                                           std::span<const std::string_view> known);

}  // namespace lvmd::metadata
