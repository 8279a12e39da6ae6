// The numbers were derived by hand from the steps of LVM 2.03's allocator. tests/system compares
// the simulation with lvcreate on groups with random free areas.
#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <vector>

#include "lvmd/model/allocation.hpp"

using namespace lvmd::model;

namespace {

constexpr Bytes kExtent{std::uint64_t{4} << 20U};

using Pvs = std::vector<std::vector<std::uint64_t>>;

std::vector<FreeAreas> areas(const Pvs& pvs) {
  std::vector<FreeAreas> result;
  for (const auto& pv : pvs) {
    FreeAreas& free = result.emplace_back();
    for (const std::uint64_t length : pv) free.push_back({length});
  }
  return result;
}

std::uint64_t largest(const Pvs& pvs, const Layout& layout) {
  return largest_fit(areas(pvs), layout, kExtent).value;
}

Layout striped(std::uint32_t stripes) { return {.stripes = stripes}; }
Layout raid1(std::uint32_t copies) { return {.copies = copies, .raid_metadata = true}; }
Layout raid5(std::uint32_t stripes) {
  return {.stripes = stripes, .parity = 1, .raid_metadata = true};
}

}  // namespace

TEST_CASE("a linear volume uses every free area [P-AVAIL-20]", "[model]") {
  CHECK(largest({{5, 1, 5}, {8}, {7}}, {}) == 26);
  CHECK(largest({}, {}) == 0);
}

TEST_CASE("stripes are allocated in parallel areas, the longest first [P-AVAIL-20]", "[model]") {
  // 8 and 7 give seven rows. Their rest and a piece of the first PV give one more.
  CHECK(largest({{5, 5}, {8}, {7}}, striped(2)) == 16);
  CHECK(largest({{4}, {4}, {4}}, striped(2)) == 8);
  CHECK(largest({{5, 5}, {10}}, striped(2)) == 20);
  CHECK(largest({{9}}, striped(2)) == 0);
}

TEST_CASE("RAID metadata takes an extent of each image [P-AVAIL-20]", "[model]") {
  CHECK(largest({{10}, {10}}, raid1(2)) == 9);
  // An image can use two PVs: 6 + 4 parallel to 10.
  CHECK(largest({{10}, {6}, {4}}, raid1(2)) == 9);
  CHECK(largest({{1}, {1}}, raid1(2)) == 0);
  CHECK(largest({{10}, {10}, {10}}, raid5(2)) == 18);
  CHECK(largest({{10}, {10}}, raid5(2)) == 0);
}

TEST_CASE("RAID metadata grows with the number of regions [P-AVAIL-20]", "[model]") {
  // With extents of 4 MiB, the bitmap would exceed the first extent only at 16 TiB, but RAID
  // enlarges the regions before. So the test uses small extents.
  const Bytes small{std::uint64_t{64} << 10U};
  const auto metadata = [&small](std::uint64_t extents, Bytes region) {
    Layout layout = raid1(2);
    layout.region_size = region;
    const std::vector<FreeAreas> pvs{{{extents}}, {{extents}}};
    return extents - largest_fit(pvs, layout, small).value;
  };
  CHECK(metadata(1000, {std::uint64_t{2} << 20U}) == 1);
  // A bit for each of 500,000 extents of 64 KiB: 62,500 bytes, two extents with the header.
  CHECK(metadata(500'000, {std::uint64_t{64} << 10U}) == 2);
}

TEST_CASE("a mirror leaves space for its log [P-AVAIL-20]", "[model]") {
  const Layout mirror{.copies = 2, .logs = 1};
  CHECK(largest({{10}, {10}}, mirror) == 9);
  CHECK(largest({{10}, {10}, {1}}, mirror) == 10);
}

TEST_CASE("a contiguous volume takes one area, and a clinging one stays on its PV [P-AVAIL-20]",
          "[model]") {
  CHECK(largest({{5, 3}, {7}}, {.policy = AllocationPolicy::kContiguous}) == 7);
  CHECK(largest({{5, 3}, {7}}, {.policy = AllocationPolicy::kCling}) == 7);
  CHECK(largest({{5, 3, 2}, {7}}, {.policy = AllocationPolicy::kCling}) == 7);
}

TEST_CASE("the largest volume fits, and one row more does not [P-AVAIL-20]", "[model]") {
  const Pvs pvs = GENERATE(values<Pvs>({{{5, 5}, {8}, {7}}, {{3, 9, 1}, {12}, {2, 2}, {6}}}));
  const Layout layout = GENERATE(values<Layout>({striped(2), striped(3), raid1(2), raid5(2)}));
  const std::uint64_t most = largest(pvs, layout);
  CHECK(fits(areas(pvs), layout, {most}, kExtent));
  CHECK_FALSE(fits(areas(pvs), layout, {most + layout.stripes}, kExtent));
}

TEST_CASE("a thousand areas are computed fast [P-AVAIL-20]", "[model]") {
  std::vector<std::uint64_t> pieces(1000);
  // NOLINTNEXTLINE(modernize-use-ranges): libstdc++ 12 has no std::ranges::iota
  std::iota(pieces.begin(), pieces.end(), 1);
  CHECK(largest({pieces, pieces}, striped(2)) == 1'001'000);
}
