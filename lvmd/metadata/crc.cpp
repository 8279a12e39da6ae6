#include "lvmd/metadata/crc.hpp"

#include <array>
#include <cstddef>

namespace lvmd::metadata {
namespace {

constexpr std::uint32_t kPolynomial = 0xedb88320U;

constexpr std::array<std::uint32_t, 256> make_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit)
      value = (value & 1U) != 0 ? (value >> 1U) ^ kPolynomial : value >> 1U;
    table[byte] = value;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> kTable = make_table();

}  // namespace

std::uint32_t crc(std::string_view bytes, std::uint32_t seed) {
  std::uint32_t value = seed;
  for (const char byte : bytes)
    value = kTable[(value ^ static_cast<unsigned char>(byte)) & 0xffU] ^ (value >> 8U);
  return value;
}

}  // namespace lvmd::metadata
