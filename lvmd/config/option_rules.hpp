// Which of lvcreate's options a class may have: not those that would break what lvmd relies on.
#pragma once

#include <cstdint>
#include <vector>

#include "lvmd/config/mapping.hpp"

namespace lvmd::config {

// What the items are used for. An option class serves thick and thin classes.
enum class OptionsOf : std::uint8_t { kThickClass, kThinClass, kOptionClass };

// Reports, at its word, each option with which a create would fail always or do something else than
// make the volume (errors), and each whose effect lvmd can't answer for (warnings). P-CFG-40 to
// P-CFG-42.
void check_options(const Mapping& mapping, const std::vector<ListItem>& items, OptionsOf target);

// Whether lvcreate's option `name` ("stripes") is among the items, however it is written.
[[nodiscard]] const ListItem* find_option(const std::vector<ListItem>& items,
                                          std::string_view name);

}  // namespace lvmd::config
