#include <catch2/catch.hpp>

#include "lvmd/model/redundancy.hpp"

using namespace lvmd::model;

TEST_CASE("a RAID volume or mirror is degraded, out of sync or in sync [P-HEALTH-9]", "[model]") {
  CHECK(redundancy_of(RaidStatus{.health = "AA"}) == Redundancy::kInSync);
  CHECK(redundancy_of(RaidStatus{.health = "Aa"}) == Redundancy::kOutOfSync);
  CHECK(redundancy_of(RaidStatus{.health = "aD"}) == Redundancy::kDegraded);
  CHECK(redundancy_of(MirrorStatus{.regions_in_sync = 8, .regions = 8}) == Redundancy::kInSync);
  CHECK(redundancy_of(MirrorStatus{.regions_in_sync = 7, .regions = 8}) == Redundancy::kOutOfSync);
  CHECK(redundancy_of(MirrorStatus{.regions_in_sync = 8, .regions = 8, .leg_failed = true}) ==
        Redundancy::kDegraded);
  CHECK_FALSE(redundancy_of(CacheStatus{}));
  CHECK_FALSE(redundancy_of({}));
}

TEST_CASE("degraded and out-of-sync volumes are listed once [P-HEALTH-9]", "[model]") {
  const VolumeGroup group{
      .logical_volumes = {
          {.name = "lost", .partial = true},
          {.name = "pool_tdata", .role = LvRole::kInternal, .redundancy = Redundancy::kDegraded},
          {.name = "r1", .redundancy = Redundancy::kOutOfSync},
          {.name = "r1_rimage_0", .role = LvRole::kInternal, .partial = true},
          {.name = "r2", .redundancy = Redundancy::kInSync, .partial = true},
          {.name = "r3", .redundancy = Redundancy::kInSync}}};
  CHECK(degraded_volumes(group) == std::vector<std::string>{"lost", "pool_tdata", "r2"});
  CHECK(out_of_sync_volumes(group) == std::vector<std::string>{"r1"});
}
