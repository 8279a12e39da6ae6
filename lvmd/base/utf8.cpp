#include "lvmd/base/utf8.hpp"

#include <algorithm>

namespace lvmd {
namespace {

unsigned byte_of(char c) { return static_cast<unsigned char>(c); }

bool continues(char c) { return (byte_of(c) & 0xC0U) == 0x80U; }

}  // namespace

std::size_t character_size(std::string_view text) {
  const unsigned first = byte_of(text.front());
  if (first < 0x80) return 1;
  std::size_t size = 0;
  if (first >= 0xC2 && first <= 0xDF) size = 2;
  if (first >= 0xE0 && first <= 0xEF) size = 3;
  if (first >= 0xF0 && first <= 0xF4) size = 4;
  if (size == 0 || text.size() < size) return 0;
  if (!std::ranges::all_of(text.substr(1, size - 1), continues)) return 0;
  const unsigned second = byte_of(text[1]);
  // Overlong forms, surrogates, and values beyond the last character.
  const bool wrong = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                     (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return wrong ? 0 : size;
}

std::string_view whole_characters(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  constexpr std::size_t kLongest = 4;
  std::size_t end = limit;
  while (end > 0 && limit - end < kLongest - 1 && continues(text[end])) --end;
  return text.substr(0, end);
}

}  // namespace lvmd
