// The meaning of an unquoted scalar in YAML 1.1, as in TopoLVM's YAML library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace lvmd::config {

struct Null {
  friend bool operator==(Null, Null) = default;
};

// Whole numbers from 0 to 2^64 − 1 are std::uint64_t, all other numbers are double.
using Scalar = std::variant<Null, bool, std::uint64_t, double, std::string>;

// Recognises null and ~; true, yes, on, y and their opposites; numbers in base 2, 8, 10 and 16,
// with
// '_' between digits; .inf and .nan. Any other scalar is a text. As in YAML 1.1, 010 is 8.
[[nodiscard]] Scalar resolve_plain(std::string_view text);

// True if a YAML or JSON printer prints `value` as the characters `text`. False for yes (true),
// 0x10 (16) and 1.50 (1.5): there the text and the value are ambiguous.
[[nodiscard]] bool is_shown_as_written(const Scalar& value, std::string_view text);

}  // namespace lvmd::config
