#include <catch2/catch.hpp>
#include <cstdint>

#include "lvmd/model/volume_group.hpp"

using namespace lvmd::model;

TEST_CASE("a group's size and free space include every PV, as in vgs", "[model]") {
  VolumeGroup group{.extent_size = {4096}};
  CHECK(group.size() == Bytes{0});
  CHECK(group.free() == Bytes{0});
  group.physical_volumes = {
      {.size = {10}, .free = {4}},
      {.size = {20}, .free = {2}, .allocatable = false},
      {.size = {30}, .free = {1}, .missing = true},
  };
  CHECK(group.size() == Bytes{std::uint64_t{60} * 4096});
  CHECK(group.free() == Bytes{std::uint64_t{7} * 4096});
}

TEST_CASE("volumes are found by their full name, including internal ones", "[model]") {
  const VolumeGroup group{.logical_volumes = {{.name = "a"},
                                              {.name = "pool"},
                                              {.name = "pool_tdata", .role = LvRole::kInternal},
                                              {.name = "z"}}};
  for (const LogicalVolume& lv : group.logical_volumes) CHECK(group.find(lv.name) == &lv);
  for (const char* const name : {"", "A", "b", "poo", "pool_", "zz"})
    CHECK(group.find(name) == nullptr);
  CHECK(VolumeGroup{}.find("a") == nullptr);
}

TEST_CASE("only internal volumes are hidden [P-CLASS-5]", "[model]") {
  for (const LvRole role : {LvRole::kPlain, LvRole::kThinPool, LvRole::kThin, LvRole::kCowSnapshot})
    CHECK(LogicalVolume{.role = role}.is_visible());
  CHECK_FALSE(LogicalVolume{.role = LvRole::kInternal}.is_visible());
}
