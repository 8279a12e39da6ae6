#include "lvmd/config/roots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lvmd/model/mount_rules.hpp"

namespace lvmd::config {

std::vector<std::string> read_roots(Mapping& mapping, std::string_view key) {
  std::vector<std::string> roots;
  for (Word& word : mapping.words(key)) {
    const std::string& path = word.text;
    if (path == "/") {
      mapping.error(word, "\"/\" must not be the whole host");
      continue;
    }
    if (!model::is_plain_path(path)) {
      mapping.error(
          word, fmt::format("\"{}\" must be an absolute path without empty, \".\" and \"..\" parts",
                            path));
      continue;
    }
    const auto other = std::ranges::find_if(roots, [&path](const std::string& root) {
      return root == path || model::is_below(path, root) || model::is_below(root, path);
    });
    if (other != roots.end())
      mapping.error(word, fmt::format("\"{}\" and \"{}\" lie in each other", path, *other));
    else
      roots.push_back(std::move(word.text));
  }
  return roots;
}

}  // namespace lvmd::config
