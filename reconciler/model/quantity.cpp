#include "reconciler/model/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>
#include <optional>
#include <ranges>

namespace lvmd::reconciler {
namespace {

constexpr std::int64_t kMaxInt64 = std::numeric_limits<std::int64_t>::max();
// A number with more digits before its point does not fit into 63 bits.
constexpr std::int64_t kMaxIntegerDigits = 19;
// A larger exponent makes every number too large or almost zero.
constexpr std::int64_t kMaxExponent = 1'000'000;
constexpr std::string_view kBinaryUnits = "KMGTPE";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "0." followed by the digits, times 10^point. The digits are text, so that the value is exact for
// any number of digits.
struct Decimal {
  std::string digits;
  std::int64_t point = 0;
};

struct Suffix {
  unsigned binary_steps = 0;  // factors of 1024
  std::int64_t exponent = 0;  // factors of 10
};

std::optional<Suffix> parse_exponent(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (end != text.data() + text.size() || text.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range)
    exponent = text.starts_with('-') ? -kMaxExponent : kMaxExponent;
  else if (error != std::errc{})
    return std::nullopt;
  return Suffix{.exponent = std::clamp(exponent, -kMaxExponent, kMaxExponent)};
}

std::optional<Suffix> parse_suffix(std::string_view text) {
  if (text.empty()) return Suffix{};
  // "E" alone is exa. With a number after it, it is an exponent.
  if ((text.front() == 'e' || text.front() == 'E') && text.size() > 1 && text != "Ei")
    return parse_exponent(text.substr(1));
  if (text.size() == 2 && text.back() == 'i') {
    const std::size_t unit = kBinaryUnits.find(text.front());
    if (unit == std::string_view::npos) return std::nullopt;
    return Suffix{.binary_steps = static_cast<unsigned>(unit) + 1};
  }
  if (text.size() != 1) return std::nullopt;
  constexpr std::string_view kDecimalUnits = "num kMGTPE";
  const std::size_t unit = kDecimalUnits.find(text.front());
  if (unit == std::string_view::npos || text.front() == ' ') return std::nullopt;
  return Suffix{.exponent = (static_cast<std::int64_t>(unit) - 3) * 3};
}

void multiply(Decimal& number, unsigned factor) {
  unsigned carry = 0;
  for (char& digit : std::views::reverse(number.digits)) {
    carry += static_cast<unsigned>(digit - '0') * factor;
    digit = static_cast<char>('0' + carry % 10);
    carry /= 10;
  }
  for (; carry != 0; carry /= 10) {
    number.digits.insert(number.digits.begin(), static_cast<char>('0' + carry % 10));
    ++number.point;
  }
}

// Removes zeros at both ends. No digits mean zero.
void normalize(Decimal& number) {
  const std::size_t leading = std::min(number.digits.find_first_not_of('0'), number.digits.size());
  number.digits.erase(0, leading);
  number.point -= static_cast<std::int64_t>(leading);
  number.digits.erase(number.digits.find_last_not_of('0') + 1);
}

// Rounded up; nullopt when it does not fit.
std::optional<std::int64_t> to_integer(const Decimal& number) {
  if (number.digits.empty()) return 0;
  if (number.point > kMaxIntegerDigits) return std::nullopt;
  const auto integer_digits = static_cast<std::size_t>(std::max<std::int64_t>(number.point, 0));
  std::string integer = number.digits.substr(0, integer_digits);
  integer.resize(integer_digits, '0');
  std::int64_t value = 0;
  if (!integer.empty() &&
      std::from_chars(integer.data(), integer.data() + integer.size(), value).ec != std::errc{})
    return std::nullopt;
  const bool has_fraction = number.digits.size() > integer_digits;
  if (has_fraction && value == kMaxInt64) return std::nullopt;
  return value + (has_fraction ? 1 : 0);
}

std::optional<Decimal> take_number(std::string_view& text) {
  Decimal number;
  bool seen_point = false;
  while (!text.empty() && (is_digit(text.front()) || (text.front() == '.' && !seen_point))) {
    if (text.front() == '.')
      seen_point = true;
    else
      number.digits += text.front();
    if (!seen_point) ++number.point;
    text.remove_prefix(1);
  }
  if (number.digits.empty()) return std::nullopt;
  return number;
}

}  // namespace

Result<Bytes> parse_quantity(std::string_view text) {
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  auto number = take_number(rest);
  const auto suffix = parse_suffix(rest);
  if (!number || !suffix)
    return fail(Code::kInvalidArgument, "\"{}\" is not a quantity such as 1Gi or 500M", text);
  for (unsigned step = 0; step < suffix->binary_steps; ++step) multiply(*number, 1024);
  number->point += suffix->exponent;
  normalize(*number);
  const auto value = to_integer(*number);
  if (!value)
    return fail(Code::kInvalidArgument, "\"{}\" is too large: the maximum is 2^63 - 1 bytes", text);
  return Bytes{negative ? -*value : *value};
}

Result<Bytes> parse_wanted_size(std::string_view text) {
  if (text.empty())
    return fail(Code::kInvalidArgument, "spec.size is missing: set it to a size such as 1Gi");
  const auto size = parse_quantity(text);
  if (!size) return fail(Code::kInvalidArgument, "spec.size: {}", size.error().message);
  if (size->value < 0)
    return fail(Code::kInvalidArgument, "spec.size \"{}\" is negative: it must be above 0", text);
  if (size->value == 0)
    return fail(Code::kInvalidArgument, "spec.size \"{}\" is zero: it must be above 0", text);
  if (size->value > kMaxInt64 - kBlockSize + 1)
    return fail(Code::kInvalidArgument,
                "spec.size \"{}\" is too large: the maximum is 2^63 - {} bytes", text, kBlockSize);
  return Bytes{(size->value + kBlockSize - 1) / kBlockSize * kBlockSize};
}

std::string format_quantity(Bytes bytes) {
  std::int64_t value = bytes.value;
  std::size_t steps = 0;
  while (value != 0 && value % 1024 == 0 && steps < kBinaryUnits.size()) {
    value /= 1024;
    ++steps;
  }
  if (steps == 0) return fmt::format("{}", value);
  return fmt::format("{}{}i", value, kBinaryUnits[steps - 1]);
}

}  // namespace lvmd::reconciler
