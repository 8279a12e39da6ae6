#include "lvmd/transfers/mover/restore_uuid.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "lvmd/transfers/record/sha256.hpp"

namespace lvmd::transfers::mover {
namespace {

constexpr std::size_t kLength = 36;
constexpr std::size_t kBytes = 16;

bool is_dash_position(std::size_t at) { return at == 8 || at == 13 || at == 18 || at == 23; }

bool is_hexadecimal(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// The nil UUID is excluded: mkfs programs treat it as no UUID.
bool is_uuid(std::string_view id) {
  if (id.size() != kLength) return false;
  bool nil = true;
  for (std::size_t at = 0; at < kLength; ++at) {
    if (is_dash_position(at) ? id[at] != '-' : !is_hexadecimal(id[at])) return false;
    nil = nil && (is_dash_position(at) || id[at] == '0');
  }
  return !nil;
}

}  // namespace

std::string uuid_of_restore(std::string_view id) {
  std::string uuid;
  if (is_uuid(id)) {
    for (const char c : id) uuid += c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c;
    return uuid;
  }
  std::string bytes = transfers::sha256(fmt::format("lvmd.v1.restore:{}", id)).substr(0, kBytes);
  const auto byte = [&bytes](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
  // Version and variant.
  bytes[6] = static_cast<char>((byte(6) & 0x0FU) | 0x80U);
  bytes[8] = static_cast<char>((byte(8) & 0x3FU) | 0x80U);
  for (std::size_t at = 0; at < kBytes; ++at) {
    if (at == 4 || at == 6 || at == 8 || at == 10) uuid += '-';
    uuid += fmt::format("{:02x}", byte(at));
  }
  return uuid;
}

}  // namespace lvmd::transfers::mover
