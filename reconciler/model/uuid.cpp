#include "reconciler/model/uuid.hpp"

#include <sys/random.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace lvmd::reconciler {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";
constexpr std::size_t kLength = 36;

bool has_dash_at(std::size_t position) {
  return position == 8 || position == 13 || position == 18 || position == 23;
}

}  // namespace

Result<std::string> random_uuid() {
  std::array<std::uint8_t, 16> bytes{};
  // A request for up to 256 bytes is never truncated.
  if (::getrandom(bytes.data(), bytes.size(), 0) < 0)
    return fail_errno(errno, "reading random numbers from the kernel");
  bytes[6] = static_cast<std::uint8_t>((bytes[6] & 0x0fU) | 0x40U);
  bytes[8] = static_cast<std::uint8_t>((bytes[8] & 0x3fU) | 0x80U);
  std::string text;
  for (const std::uint8_t byte : bytes) {
    if (has_dash_at(text.size())) text += '-';
    text += kHex[byte >> 4U];
    text += kHex[byte & 0x0fU];
  }
  return text;
}

bool is_uuid(std::string_view text) {
  if (text.size() != kLength) return false;
  for (std::size_t position = 0; position < text.size(); ++position)
    if (has_dash_at(position) ? text[position] != '-' : !kHex.contains(text[position]))
      return false;
  return true;
}

}  // namespace lvmd::reconciler
