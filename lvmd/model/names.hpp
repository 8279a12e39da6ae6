// Rules for names and tags [P-NAME]. Pure. The functions return InvalidArgument if the value breaks
// a rule. The message names `field`, the value and the rule.
//
// Source of the rules: lvm(8) "VALID NAMES" and "TAGS". The reserved parts of names are those that
// lvcreate refuses.
#pragma once

#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::model {

// Checks the name of a new LV in `volume_group` [P-NAME-1, P-NAME-2, P-NAME-3].
[[nodiscard]] Status check_new_lv_name(std::string_view field, std::string_view name,
                                       std::string_view volume_group);

// Checks the name of an existing LV, which other programs may have created: whether LVM can store
// it [P-NAME-1]. The rule for VG names is the same.
[[nodiscard]] Status check_lv_name(std::string_view field, std::string_view name);

// Checks whether LVM can store the tag: characters and length [P-NAME-4].
[[nodiscard]] Status check_lvm_tag(std::string_view field, std::string_view tag);

// Checks a tag in a caller's request. lvmd's private tags (ownership.hpp) are not allowed
// [P-NAME-4, P-NAME-5].
[[nodiscard]] Status check_caller_tag(std::string_view field, std::string_view tag);

// Checks the id of a transfer [P-XFER-1].
[[nodiscard]] Status check_transfer_id(std::string_view field, std::string_view id);

}  // namespace lvmd::model
