// The checksum in LVM's labels, metadata area headers and metadata text.
#pragma once

#include <cstdint>
#include <string_view>

namespace lvmd::metadata {

// CRC-32 (reflected polynomial 0xedb88320) with the initial value 0xf597a6cf and without the final
// inversion. `seed` continues a checksum: crc(b, crc(a)) == crc(a + b).
inline constexpr std::uint32_t kCrcSeed = 0xf597a6cfU;
[[nodiscard]] std::uint32_t crc(std::string_view bytes, std::uint32_t seed = kCrcSeed);

}  // namespace lvmd::metadata
