#include "lvmd/metadata/crc.hpp"

#include <array>
#include <cstddef>

namespace lvmd::metadata {
namespace {

constexpr std::uint32_t kPolynomial = 0xedb88320U;

// Tables for several bytes at a time ("slicing"). kTables[n][b] is the checksum of the byte b and n
// zero bytes after it.
constexpr std::size_t kBytesAtOnce = 8;
using Tables = std::array<std::array<std::uint32_t, 256>, kBytesAtOnce>;

constexpr std::uint32_t shifted(std::uint32_t value) {
  for (int bit = 0; bit < 8; ++bit)
    value = (value & 1U) != 0 ? (value >> 1U) ^ kPolynomial : value >> 1U;
  return value;
}

constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < tables[0].size(); ++byte) tables[0][byte] = shifted(byte);
  for (std::size_t zeros = 1; zeros < kBytesAtOnce; ++zeros)
    for (std::size_t byte = 0; byte < tables[0].size(); ++byte) {
      const std::uint32_t before = tables[zeros - 1][byte];
      tables[zeros][byte] = tables[0][before & 0xffU] ^ (before >> 8U);
    }
  return tables;
}

constexpr Tables kTables = make_tables();

std::uint32_t byte_at(std::string_view bytes, std::size_t index) {
  return static_cast<unsigned char>(bytes[index]);
}

}  // namespace

std::uint32_t crc(std::string_view bytes, std::uint32_t seed) {
  std::uint32_t value = seed;
  while (bytes.size() >= kBytesAtOnce) {
    const std::uint32_t mixed = value ^ (byte_at(bytes, 0) | (byte_at(bytes, 1) << 8U) |
                                         (byte_at(bytes, 2) << 16U) | (byte_at(bytes, 3) << 24U));
    value = kTables[7][mixed & 0xffU] ^ kTables[6][(mixed >> 8U) & 0xffU] ^
            kTables[5][(mixed >> 16U) & 0xffU] ^ kTables[4][mixed >> 24U] ^
            kTables[3][byte_at(bytes, 4)] ^ kTables[2][byte_at(bytes, 5)] ^
            kTables[1][byte_at(bytes, 6)] ^ kTables[0][byte_at(bytes, 7)];
    bytes.remove_prefix(kBytesAtOnce);
  }
  for (const char byte : bytes)
    value = kTables[0][(value ^ static_cast<unsigned char>(byte)) & 0xffU] ^ (value >> 8U);
  return value;
}

}  // namespace lvmd::metadata
