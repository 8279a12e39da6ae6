// Numbers in texts.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace lvmd {

// The number if the whole text is one, without blanks and without '+'. Absent otherwise, and if the
// number does not fit the type. `format`: as for std::from_chars(), for example a base.
template <typename Number, typename... Format>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text, Format... format) {
  Number number{};
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto [parsed, error] = std::from_chars(begin, end, number, format...);
  if (error != std::errc{} || parsed != end) return std::nullopt;
  return number;
}

}  // namespace lvmd
