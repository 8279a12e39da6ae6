// Texts of lvmd.yaml that become arguments of an LVM command.
#pragma once

#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/config/mapping.hpp"

namespace lvmd::config {

// Checks that LVM's library parses `argument` as one argument. The library splits a command at
// blanks, removes quotes, and treats '#' at the beginning of an argument as the start of a comment
// (lvm2 tools/lvmcmdline.c, lvm_split). InvalidArgument with the reason for any other text.
[[nodiscard]] Status check_command_argument(std::string_view argument);

// The list at `key`. Reports each item that fails check_command_argument(), at its place.
[[nodiscard]] std::vector<ListItem> read_command_arguments(Mapping& mapping, std::string_view key);

}  // namespace lvmd::config
