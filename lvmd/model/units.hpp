// Sizes as types, so that bytes and extents can't be mixed up.
#pragma once

#include <compare>
#include <cstdint>

namespace lvmd::model {

struct Bytes {
  std::uint64_t value = 0;

  friend auto operator<=>(Bytes, Bytes) = default;
};

// A number of extents; how large one is, its VolumeGroup knows.
struct Extents {
  std::uint64_t value = 0;

  friend auto operator<=>(Extents, Extents) = default;
};

inline constexpr std::uint64_t kSectorSize = 512;
inline constexpr std::uint64_t kGiB = std::uint64_t{1} << 30U;

// a − b, or 0 where b is larger: free space is never negative.
[[nodiscard]] constexpr Bytes minus_floor_zero(Bytes a, Bytes b) {
  return {a.value > b.value ? a.value - b.value : 0};
}

// The extents as bytes.
[[nodiscard]] constexpr Bytes to_bytes(Extents extents, Bytes extent_size) {
  return {extents.value * extent_size.value};
}

// The fewest extents that hold `size` and are a multiple of `stripes`: what LVM makes of a request
// for `size` bytes. `extent_size` and `stripes` must not be 0.
[[nodiscard]] constexpr Extents round_up_to_extents(Bytes size, Bytes extent_size,
                                                    std::uint64_t stripes) {
  const std::uint64_t whole = size.value / extent_size.value;
  const std::uint64_t extents = whole + (size.value % extent_size.value != 0 ? 1 : 0);
  const std::uint64_t rows = extents / stripes + (extents % stripes != 0 ? 1 : 0);
  return {rows * stripes};
}

}  // namespace lvmd::model
