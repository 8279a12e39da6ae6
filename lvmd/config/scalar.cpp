#include "lvmd/config/scalar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <optional>

#include "lvmd/base/parse_number.hpp"

namespace lvmd::config {
namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> values) {
  return std::ranges::find(values, text) != values.end();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<std::uint64_t> parse_whole_number(std::string_view digits) {
  const auto with_prefix = [digits](char lower, char upper) {
    return digits.size() > 2 && digits[0] == '0' && (digits[1] == lower || digits[1] == upper);
  };
  if (with_prefix('x', 'X')) return parse_number<std::uint64_t>(digits.substr(2), 16);
  if (with_prefix('b', 'B')) return parse_number<std::uint64_t>(digits.substr(2), 2);
  if (with_prefix('o', 'O')) return parse_number<std::uint64_t>(digits.substr(2), 8);
  if (digits.size() > 1 && digits[0] == '0') return parse_number<std::uint64_t>(digits, 8);
  return parse_number<std::uint64_t>(digits, 10);
}

std::optional<Scalar> number_of(std::string_view text) {
  std::string digits{text};
  std::erase(digits, '_');
  const bool negative = digits.starts_with('-');
  if (negative || digits.starts_with('+')) digits.erase(0, 1);
  // from_chars would accept "inf" and "nan", which are texts in YAML.
  if (digits.empty() || (!is_digit(digits[0]) && digits[0] != '.')) return std::nullopt;
  if (const auto whole = parse_whole_number(digits)) {
    if (!negative || *whole == 0) return *whole;
    return -static_cast<double>(*whole);
  }
  const auto number = parse_number<double>(digits, std::chars_format::general);
  if (!number) return std::nullopt;
  return negative ? -*number : *number;
}

}  // namespace

Scalar resolve_plain(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return Null{};
  if (is_one_of(text, {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON", "y", "Y"}))
    return true;
  if (is_one_of(text, {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF", "n", "N"}))
    return false;
  if (is_one_of(text, {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"})) return kInfinity;
  if (is_one_of(text, {"-.inf", "-.Inf", "-.INF"})) return -kInfinity;
  if (is_one_of(text, {".nan", ".NaN", ".NAN"})) return std::numeric_limits<double>::quiet_NaN();
  if (const auto number = number_of(text)) return *number;
  return std::string{text};
}

bool is_shown_as_written(const Scalar& value, std::string_view text) {
  if (const bool* const boolean = std::get_if<bool>(&value))
    return text == (*boolean ? "true" : "false");
  if (const auto* const whole = std::get_if<std::uint64_t>(&value))
    return text == fmt::format("{}", *whole);
  if (const double* const number = std::get_if<double>(&value))
    return text == fmt::format("{}", *number);
  return true;
}

}  // namespace lvmd::config
