#include <catch2/catch.hpp>

#include "lvmd/devmapper/target_status.hpp"

using namespace lvmd;
using namespace lvmd::devmapper;

namespace {

template <typename Status>
Status parse_as(std::string_view target, const std::string& line,
                const model::TargetStatus& before = {}) {
  const auto status = parse_target_status(target, line, before);
  REQUIRE(status);
  REQUIRE(std::holds_alternative<Status>(*status));
  return std::get<Status>(*status);
}

}  // namespace

TEST_CASE("the status of a RAID has a letter per leg, the action and the mismatches",
          "[devmapper]") {
  const auto raid = parse_as<model::RaidStatus>("raid", "raid1 2 Aa 1024/8192 recover 0 0 -");
  CHECK(raid == model::RaidStatus{.health = "Aa", .mismatches = 0, .action = "recover"});
  CHECK(parse_as<model::RaidStatus>("raid", "raid6_zr 5 AADAA 8192/8192 idle 128 0 -") ==
        model::RaidStatus{.health = "AADAA", .mismatches = 128, .action = "idle"});
}

TEST_CASE("the segments of a mirror are added up", "[devmapper]") {
  const auto first =
      parse_as<model::MirrorStatus>("mirror", "2 254:1 254:2 5/8 1 AA 3 disk 254:0 A");
  CHECK(first == model::MirrorStatus{.regions_in_sync = 5, .regions = 8});
  const auto second =
      parse_as<model::MirrorStatus>("mirror", "2 254:1 254:2 2/2 1 AA 1 core", first);
  CHECK(second == model::MirrorStatus{.regions_in_sync = 7, .regions = 10});
  // A linear segment between them has no effect.
  CHECK(parse_as<model::MirrorStatus>("linear", "", first) == first);
}

TEST_CASE("the status of a cache has its problems", "[devmapper]") {
  const std::string numbers =
      "8 27/2048 128 0/128 0 0 0 0 0 0 0 2 metadata2 writethrough 2 migration_threshold 2048 smq "
      "0 ";
  CHECK(parse_as<model::CacheStatus>("cache", numbers + "rw - ") == model::CacheStatus{});
  CHECK(parse_as<model::CacheStatus>("cache", numbers + "ro needs_check ") ==
        model::CacheStatus{.read_only = true, .needs_check = true});
  CHECK(parse_as<model::CacheStatus>("cache", "Fail") == model::CacheStatus{.failed = true});
}

TEST_CASE("the status of a writecache begins with the error", "[devmapper]") {
  CHECK_FALSE(parse_as<model::WritecacheStatus>("writecache", "0 1985 1985 0").failed);
  CHECK(parse_as<model::WritecacheStatus>("writecache", "-5 1985 1985 0").failed);
}

TEST_CASE("the status of a snapshot shows that it is invalid", "[devmapper]") {
  CHECK(parse_as<model::CowSnapshotStatus>("snapshot", "16/4096 16") == model::CowSnapshotStatus{});
  CHECK(parse_as<model::CowSnapshotStatus>("snapshot", "Invalid") ==
        model::CowSnapshotStatus{.invalid = true});
  CHECK(parse_as<model::CowSnapshotStatus>("snapshot-merge", "Merge failed") ==
        model::CowSnapshotStatus{.is_merge = true, .merge_failed = true});
}

TEST_CASE("a target without a relevant status is ignored", "[devmapper]") {
  CHECK(parse_as<std::monostate>("linear", "") == std::monostate{});
  CHECK(parse_as<std::monostate>("thin", "1024 2047") == std::monostate{});
}

TEST_CASE("a line that does not fit the target is rejected", "[devmapper]") {
  const auto* const target = GENERATE("raid", "mirror", "cache", "writecache", "snapshot");
  CAPTURE(target);
  const auto status = parse_target_status(target, "nonsense");
  REQUIRE_FALSE(status);
  CHECK(status.error().code == Code::kInternal);
  // libdevmapper crashes on this line.
  CHECK_FALSE(parse_target_status("raid", "raid1 2 AA 8192/8192 idle"));
}

TEST_CASE("a failed leg of a mirror is detected [P-HEALTH-9]", "[devmapper]") {
  CHECK(parse_as<model::MirrorStatus>("mirror", "2 254:1 254:2 8/8 1 AD 1 core").leg_failed);
  CHECK_FALSE(parse_as<model::MirrorStatus>("mirror", "2 254:1 254:2 8/8 1 AA 1 core").leg_failed);
}
