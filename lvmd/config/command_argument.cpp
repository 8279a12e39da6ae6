#include "lvmd/config/command_argument.hpp"

#include <algorithm>
#include <string>

namespace lvmd::config {
Status check_command_argument(std::string_view argument) {
  if (argument.empty()) return fail(Code::kInvalidArgument, "is empty");
  if (argument.contains(' '))
    return fail(Code::kInvalidArgument,
                "\"{}\" contains a blank: write each argument as a separate list item", argument);
  if (!std::ranges::all_of(argument, [](char c) { return c > ' ' && c <= '~'; }))
    return fail(Code::kInvalidArgument, "\"{}\" contains a character that is not printable ASCII",
                argument);
  if (argument.find_first_of("\"'\\") != std::string_view::npos)
    return fail(Code::kInvalidArgument, "{} contains a quote or a backslash", argument);
  if (argument.starts_with('#'))
    return fail(Code::kInvalidArgument, "\"{}\" begins with '#', which starts a comment in LVM",
                argument);
  return {};
}

std::vector<ListItem> read_command_arguments(Mapping& mapping, std::string_view key) {
  std::vector<ListItem> items = mapping.items(key);
  for (const ListItem& item : items)
    if (const Status valid = check_command_argument(item.text); !valid)
      mapping.error(item, valid.error().message);
  return items;
}

}  // namespace lvmd::config
