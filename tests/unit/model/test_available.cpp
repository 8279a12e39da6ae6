#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "lvmd/model/available.hpp"

using namespace lvmd::model;
using lvmd::Code;

namespace {

constexpr std::uint64_t kExtentBytes = 4'194'304;

VolumeGroup group_with_free(const std::vector<std::uint64_t>& free) {
  VolumeGroup group{.name = "vg", .extent_size = {kExtentBytes}};
  for (const std::uint64_t extents : free)
    group.physical_volumes.push_back({.size = {1000}, .free = {extents}});
  return group;
}

VolumeGroup group_with_pool(Bytes pool_size, const std::vector<Bytes>& volumes) {
  VolumeGroup group{.name = "vg", .extent_size = {kExtentBytes}};
  group.logical_volumes.push_back({.name = "pool", .role = LvRole::kThinPool, .size = pool_size});
  for (const Bytes size : volumes)
    group.logical_volumes.push_back({.name = "t" + std::to_string(group.logical_volumes.size()),
                                     .role = LvRole::kThin,
                                     .size = size,
                                     .pool = "pool"});
  return group;
}

Layout with_stripes(std::uint32_t stripes) {
  return {.stripes = std::max<std::uint32_t>(stripes, 1)};
}

}  // namespace

TEST_CASE("the largest volume is what LVM can allocate for the layout's stripes [P-AVAIL-2]",
          "[model]") {
  const auto [free, stripes, extents] =
      GENERATE(table<std::vector<std::uint64_t>, std::uint32_t, std::uint64_t>({
          {{}, 0, 0},
          {{0, 0}, 1, 0},
          {{10, 6, 2}, 0, 18},
          {{10, 6, 2}, 1, 18},
          {{10, 6, 2}, 2, 16},
          {{2, 10, 6}, 2, 16},
          {{10, 6, 2}, 3, 6},
          {{10, 6, 2}, 4, 0},
          {{5, 5}, 2, 10},
          {{5, 0}, 2, 0},
          // LVM uses up the first two PVs and then has only one PV left.
          {{4, 4, 4}, 2, 8},
          {{4, 4, 4, 4}, 2, 16},
          {{9, 3, 3, 3}, 2, 18},
      }));
  CAPTURE(free, stripes);
  CHECK(largest_volume(group_with_free(free), with_stripes(stripes)) ==
        Bytes{extents * kExtentBytes});
}

TEST_CASE("PVs that are missing or not allocatable do not count [P-AVAIL-3]", "[model]") {
  VolumeGroup group = group_with_free({10, 6, 2});
  group.physical_volumes[0].missing = true;
  CHECK(largest_volume(group, with_stripes(0)) == Bytes{8 * kExtentBytes});
  group.physical_volumes[1].allocatable = false;
  CHECK(largest_volume(group, with_stripes(0)) == Bytes{2 * kExtentBytes});
  CHECK(largest_volume(group, with_stripes(2)) == Bytes{0});
}

TEST_CASE("a thick class offers the largest volume less spare, at least 0 [P-AVAIL-1]", "[model]") {
  const VolumeGroup group = group_with_free({10, 6});
  CHECK(available(group, {.spare = {0}}) == Bytes{16 * kExtentBytes});
  CHECK(available(group, {.spare = {3 * kExtentBytes}}) == Bytes{13 * kExtentBytes});
  CHECK(available(group, {.spare = {3 * kExtentBytes}, .stripes = 2}) == Bytes{8 * kExtentBytes});
  CHECK(available(group, {.spare = {16 * kExtentBytes}}) == Bytes{0});
  CHECK(available(group, {}) == Bytes{0});
}

TEST_CASE("a thin class offers ratio times pool size less provisioned sizes less spare [P-AVAIL-4]",
          "[model]") {
  const VolumeGroup group = group_with_pool({1000}, {{300}, {200}});
  const auto offered = [&group](double ratio, Bytes spare) {
    return available(group,
                     {.spare = spare,
                      .thin_pool = ThinPoolTarget{.name = "pool", .overprovision_ratio = ratio}});
  };
  CHECK(offered(1.0, {0}) == Bytes{500});
  CHECK(offered(2.5, {0}) == Bytes{2000});
  CHECK(offered(2.5, {400}) == Bytes{1600});
  CHECK(offered(1.0, {500}) == Bytes{0});
  CHECK(offered(1.0, {501}) == Bytes{0});
  CHECK(offered(1.0005, {0}) == Bytes{500});
}

TEST_CASE("an overcommitted pool provisions nothing more [P-AVAIL-4]", "[model]") {
  const VolumeGroup group = group_with_pool({1000}, {{900}, {900}});
  CHECK(provisionable(group, {.name = "pool", .overprovision_ratio = 1.5}) == Bytes{0});
  CHECK(provisionable(group, {.name = "pool", .overprovision_ratio = 2.0}) == Bytes{200});
}

TEST_CASE("only thin volumes of that pool count as provisioned [P-AVAIL-4]", "[model]") {
  VolumeGroup group = group_with_pool({1000}, {{100}});
  group.logical_volumes.push_back({.name = "u", .role = LvRole::kThin, .size = {500}, .pool = "q"});
  group.logical_volumes.push_back({.name = "v", .role = LvRole::kPlain, .size = {500}});
  CHECK(provisionable(group, {.name = "pool"}) == Bytes{900});
}

TEST_CASE("a decimal ratio gives the number that TopoLVM computes, to the byte [P-AVAIL-4]",
          "[model]") {
  const auto [ratio, gib, bytes] = GENERATE(table<double, std::uint64_t, std::uint64_t>({
      {1.1, 100, 110 * kGiB},
      {2.3, 10, 23 * kGiB},
      // Double itself is not exact here.
      {1.15, 100, 115 * kGiB - 1},
  }));
  CAPTURE(ratio, gib);
  CHECK(provisionable(group_with_pool({gib * kGiB}, {}),
                      {.name = "pool", .overprovision_ratio = ratio}) == Bytes{bytes});
}

TEST_CASE("sizes beyond 64 bits saturate instead of overflowing", "[model]") {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t kHuge = std::uint64_t{15} << 60U;
  CHECK(provisionable(group_with_pool({kHuge}, {}), {.name = "pool", .overprovision_ratio = 1e6}) ==
        Bytes{kMax});
  CHECK(provisionable(group_with_pool({1000}, {{kHuge}, {kHuge}}), {.name = "pool"}) == Bytes{0});
}

TEST_CASE("a thin pool that does not exist or is no pool is unavailable", "[model]") {
  const VolumeGroup group{.name = "vg",
                          .logical_volumes = {{.name = "plain", .role = LvRole::kPlain}}};
  const auto missing = available(group, {.thin_pool = ThinPoolTarget{.name = "pool"}});
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().code == Code::kUnavailable);
  CHECK(missing.error().message == "thin pool vg/pool does not exist");
  const auto plain = provisionable(group, {.name = "plain"});
  REQUIRE_FALSE(plain.has_value());
  CHECK(plain.error().code == Code::kUnavailable);
  CHECK(plain.error().message == "vg/plain is not a thin pool");
}

TEST_CASE("a thin pool is found by its name", "[model]") {
  const VolumeGroup group = group_with_pool({1000}, {});
  const auto found = find_thin_pool(group, {.name = "pool"});
  REQUIRE(found.has_value());
  CHECK(*found == group.logical_volumes.data());
}

TEST_CASE("an option class's layout replaces the class's [P-AVAIL-20]", "[model]") {
  const VolumeGroup group = group_with_free({10, 6});
  const DeviceClass striped_class{.spare = {0}, .stripes = 2};
  const OptionClass linear{.name = "linear", .options = {"--type=linear"}};
  const OptionClass raid{.name = "raid", .options = {"-m1"}};
  const OptionClass odd{.name = "odd", .options = {"--cachepool=c"}};
  CHECK(available(group, striped_class) == Bytes{12 * kExtentBytes});
  CHECK(available(group, striped_class, &linear) == Bytes{16 * kExtentBytes});
  CHECK(available(group, striped_class, &raid) == Bytes{5 * kExtentBytes});
  CHECK(available(group, striped_class, &odd) == Bytes{16 * kExtentBytes});
}

TEST_CASE("only PVs that the arguments name count [P-AVAIL-20]", "[model]") {
  VolumeGroup group = group_with_free({10, 6, 4});
  group.physical_volumes[1].device = "/dev/sdb";
  group.physical_volumes[2].device = "/dev/sdc";
  const auto of = [&group](std::vector<std::string> words) {
    return available(group, {.spare = {0}, .lvcreate_options = std::move(words)});
  };
  CHECK(of({"/dev/sdb", "/dev/sdc"}) == Bytes{10 * kExtentBytes});
  CHECK(of({"-m1", "/dev/sdb", "/dev/sdc"}) == Bytes{3 * kExtentBytes});
  CHECK(of({"/dev/disk/by-id/x"}) == Bytes{20 * kExtentBytes});
}

TEST_CASE("a group with a missing PV is unavailable, and the message names the PV [P-STATE-5]",
          "[model]") {
  VolumeGroup group = group_with_free({10, 6});
  group.physical_volumes[1].id = "gone";
  group.physical_volumes[1].missing = true;
  const auto refused = available(group, {.spare = {0}});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kUnavailable);
  CHECK_THAT(refused.error().message, Catch::Contains("lacks the PVs gone"));
}

TEST_CASE("a pool at or above a high-water mark provisions nothing more [P-THIN-1, P-THIN-2]",
          "[model]") {
  VolumeGroup group = group_with_pool({1000}, {});
  const ThinPoolTarget pool{
      .name = "pool", .data_high_water_percent = 80, .metadata_high_water_percent = 50};
  const DeviceClass thin{.spare = {0}, .thin_pool = pool};
  CHECK(check_pool_space(group, pool));
  CHECK(available(group, thin) == Bytes{1000});
  group.logical_volumes[0].usage = PoolUsage{.data_percent = 79.99, .metadata_percent = 49.99};
  CHECK(available(group, thin) == Bytes{1000});
  group.logical_volumes[0].usage = PoolUsage{.data_percent = 80, .metadata_percent = 1};
  CHECK(available(group, thin) == Bytes{0});
  const auto full = check_pool_space(group, pool);
  REQUIRE_FALSE(full);
  CHECK(full.error().code == Code::kResourceExhausted);
  CHECK_THAT(full.error().message,
             Catch::Contains(
                 "vg/pool has a data usage of 80.00 %, at or above its high-water mark of 80 %"));
  group.logical_volumes[0].usage = PoolUsage{.data_percent = 1, .metadata_percent = 50};
  CHECK_THAT(check_pool_space(group, pool).error().message,
             Catch::Contains("has a metadata usage of"));
}

TEST_CASE("growth in several areas is limited by what all PVs can give", "[model]") {
  const VolumeGroup group = group_with_free({10, 6, 4});
  CHECK(most_growth(group, 1, 1) == Bytes{20 * kExtentBytes});
  CHECK(most_growth(group, 2, 2) == Bytes{20 * kExtentBytes});
  CHECK(most_growth(group, 3, 2) == Bytes{8 * kExtentBytes});
  CHECK(most_growth(group, 4, 4) == Bytes{0});
  CHECK(most_growth(group_with_free({10, 2}), 2, 1) == Bytes{2 * kExtentBytes});
}
