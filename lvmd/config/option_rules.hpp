// Rules for the lvcreate options of device classes and option classes.
#pragma once

#include <cstdint>
#include <vector>

#include "lvmd/config/mapping.hpp"

namespace lvmd::config {

// The user of the options. An option class can be used with thick and thin classes.
enum class OptionsOf : std::uint8_t { kThickClass, kThinClass, kOptionClass };

// Reports an error for each option with which a create would always fail, or would do something
// else than create the volume [P-CFG-40]. Reports a warning for each option with a doubtful effect
// [P-CFG-41, P-CFG-42].
void check_options(const Mapping& mapping, const std::vector<ListItem>& items, OptionsOf target);

// The item that sets lvcreate's option `name` ("stripes"), in any spelling. Null if there is none.
[[nodiscard]] const ListItem* find_option(const std::vector<ListItem>& items,
                                          std::string_view name);

}  // namespace lvmd::config
