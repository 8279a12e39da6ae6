#include "lvmd/config/roots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lvmd/model/mount_rules.hpp"

namespace lvmd::config {

std::vector<std::string> read_roots(Mapping& mapping, std::string_view key) {
  std::vector<std::string> roots;
  for (ListItem& item : mapping.items(key)) {
    const std::string& path = item.text;
    if (path == "/") {
      mapping.error(item, "\"/\" is the root of the host: use a folder below it");
      continue;
    }
    if (!model::is_plain_path(path)) {
      mapping.error(
          item, fmt::format("\"{}\" must be an absolute path without empty, \".\" and \"..\" parts",
                            path));
      continue;
    }
    const auto other = std::ranges::find_if(roots, [&path](const std::string& root) {
      return root == path || model::is_below(path, root) || model::is_below(root, path);
    });
    if (other != roots.end())
      mapping.error(item, fmt::format("\"{}\" and \"{}\" overlap", path, *other));
    else
      roots.push_back(std::move(item.text));
  }
  return roots;
}

}  // namespace lvmd::config
