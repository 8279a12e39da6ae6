// Distinct types for sizes in bytes and in extents, so that the compiler finds mix-ups.
#pragma once

#include <compare>
#include <cstdint>

namespace lvmd::model {

struct Bytes {
  std::uint64_t value = 0;

  friend auto operator<=>(Bytes, Bytes) = default;
};

// A number of extents. VolumeGroup::extent_size is the size of one.
struct Extents {
  std::uint64_t value = 0;

  friend auto operator<=>(Extents, Extents) = default;
};

inline constexpr std::uint64_t kSectorSize = 512;
inline constexpr std::uint64_t kGiB = std::uint64_t{1} << 30U;

// a − b, or 0 if b is larger.
[[nodiscard]] constexpr Bytes minus_floor_zero(Bytes a, Bytes b) {
  return {a.value > b.value ? a.value - b.value : 0};
}

// The size of the extents in bytes.
[[nodiscard]] constexpr Bytes to_bytes(Extents extents, Bytes extent_size) {
  return {extents.value * extent_size.value};
}

// The smallest multiple of `stripes` extents that holds `size`, as LVM rounds a requested size
// [P-SIZE-4]. `extent_size` and `stripes` must not be 0.
[[nodiscard]] constexpr Extents round_up_to_extents(Bytes size, Bytes extent_size,
                                                    std::uint64_t stripes) {
  const std::uint64_t whole = size.value / extent_size.value;
  const std::uint64_t extents = whole + (size.value % extent_size.value != 0 ? 1 : 0);
  const std::uint64_t rows = extents / stripes + (extents % stripes != 0 ? 1 : 0);
  return {rows * stripes};
}

}  // namespace lvmd::model
