#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>

#include "lvmd/model/units.hpp"

using namespace lvmd::model;

TEST_CASE("free space is never negative", "[model]") {
  CHECK(minus_floor_zero({10}, {4}) == Bytes{6});
  CHECK(minus_floor_zero({4}, {4}) == Bytes{0});
  CHECK(minus_floor_zero({4}, {10}) == Bytes{0});
}

TEST_CASE("extents are converted to bytes with the extent size", "[model]") {
  CHECK(to_bytes({3}, {4'194'304}) == Bytes{12'582'912});
  CHECK(to_bytes({0}, {4'194'304}) == Bytes{0});
}

TEST_CASE("a size is rounded up to whole extents and whole rows of stripes [P-SIZE-4]", "[model]") {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  const auto [size, extent, stripes, extents] =
      GENERATE_COPY(table<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>({
          {0, 4096, 1, 0},
          {1, 4096, 1, 1},
          {4095, 4096, 1, 1},
          {4096, 4096, 1, 1},
          {4097, 4096, 1, 2},
          {4096, 4096, 2, 2},
          {8192, 4096, 2, 2},
          {8193, 4096, 2, 4},
          {8193, 4096, 3, 3},
          {kMax, 1 << 20, 1, 17'592'186'044'416},
          {kMax, 1, 1, kMax},
      }));
  CAPTURE(size, extent, stripes);
  CHECK(round_up_to_extents({size}, {extent}, stripes) == Extents{extents});
}
