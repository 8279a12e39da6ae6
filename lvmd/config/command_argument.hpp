// Words of lvmd.yaml that become words of an LVM command line.
#pragma once

#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/config/mapping.hpp"

namespace lvmd::config {

// Whether lvmd can hand `word` to LVM as one word. LVM's library splits a command at blanks, takes
// quotes away and everything from a '#' that begins a word for a comment (lvm2 tools/lvmcmdline.c,
// lvm_split): such words are InvalidArgument with the reason.
[[nodiscard]] Status check_command_argument(std::string_view argument);

// The list at `key`, each word checked so; what is wrong is reported at its place.
[[nodiscard]] std::vector<ListItem> read_command_arguments(Mapping& mapping, std::string_view key);

}  // namespace lvmd::config
