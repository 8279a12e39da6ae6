#include "lvmd/config/nearest_key.hpp"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <vector>

namespace lvmd::config {
namespace {

// Levenshtein's distance, one row of the table at a time.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::ranges::copy(std::views::iota(std::size_t{0}, row.size()), row.begin());
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string> nearest_key(std::string_view misspelt,
                                       const std::vector<std::string>& keys) {
  const std::size_t limit = std::max<std::size_t>(2, misspelt.size() / 3);
  const auto to_misspelt = [misspelt](const std::string& key) { return distance(misspelt, key); };
  const auto nearest = std::ranges::min_element(keys, {}, to_misspelt);
  if (nearest == keys.end() || to_misspelt(*nearest) > limit) return std::nullopt;
  return *nearest;
}

}  // namespace lvmd::config
