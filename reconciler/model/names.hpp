// Names of the values of an enum, in both directions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace lvmd::reconciler {

template <typename Enum, std::size_t kSize>
using Names = std::array<std::pair<Enum, std::string_view>, kSize>;

// Empty for a value without a name.
template <typename Enum, std::size_t kSize>
[[nodiscard]] std::string_view name_of(const Names<Enum, kSize>& names, Enum value) {
  const auto found = std::ranges::find(names, value, &std::pair<Enum, std::string_view>::first);
  return found == names.end() ? std::string_view{} : found->second;
}

// Absent for another text.
template <typename Enum, std::size_t kSize>
[[nodiscard]] std::optional<Enum> value_of(const Names<Enum, kSize>& names, std::string_view text) {
  const auto found = std::ranges::find(names, text, &std::pair<Enum, std::string_view>::second);
  return found == names.end() ? std::nullopt : std::optional{found->first};
}

}  // namespace lvmd::reconciler
