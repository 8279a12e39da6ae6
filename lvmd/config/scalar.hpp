// What an unquoted word means in YAML 1.1, as the YAML library behind TopoLVM reads it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace lvmd::config {

struct Null {
  friend bool operator==(Null, Null) = default;
};

// Whole numbers from 0 to 2^64 − 1 are std::uint64_t, all others double.
using Scalar = std::variant<Null, bool, std::uint64_t, double, std::string>;

// null and ~; true, yes, on, y and their opposites; numbers in base 2, 8, 10 and 16, with '_'
// between digits; .inf and .nan; anything else is text. As in YAML 1.1, 010 is 8.
[[nodiscard]] Scalar resolve_plain(std::string_view text);

// Whether a value written as `word` is shown as the same characters by a YAML or JSON printer. Not
// so for yes (true), 0x10 (16) and 1.50 (1.5): there nobody knows which of both was meant.
[[nodiscard]] bool is_shown_as_written(const Scalar& value, std::string_view text);

}  // namespace lvmd::config
