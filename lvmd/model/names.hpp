// Which names and tags LVM accepts, checked before anything runs.
//
// Source of the rules: lvm(8) "VALID NAMES" and "TAGS"; the reserved parts are those that
// lvcreate refuses. Every function answers InvalidArgument naming `field`, the value and the rule.
#pragma once

#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::model {

// A name that a new LV of `volume_group` may have.
[[nodiscard]] Status check_new_lv_name(std::string_view field, std::string_view name,
                                       std::string_view volume_group);

// A name that an LV may have had when somebody else made it: only what LVM could store.
[[nodiscard]] Status check_lv_name(std::string_view field, std::string_view name);

// A tag that LVM can store: its characters and its length.
[[nodiscard]] Status check_lvm_tag(std::string_view field, std::string_view tag);

// A tag that a caller may set. Private tags of lvmd (ownership.hpp) are refused.
[[nodiscard]] Status check_caller_tag(std::string_view field, std::string_view tag);

}  // namespace lvmd::model
