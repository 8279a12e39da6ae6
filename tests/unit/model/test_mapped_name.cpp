#include <catch2/catch.hpp>
#include <string>

#include "lvmd/model/mapped_name.hpp"

using namespace lvmd::model;

TEST_CASE("hyphens inside names are doubled, and parsed back [P-MOUNT-3]", "[model]") {
  const auto [group, volume, name] = GENERATE(table<std::string, std::string, std::string>({
      {"vg", "lv", "vg-lv"},
      {"vg-a", "pvc-1-2", "vg--a-pvc--1--2"},
      {"vg-", "lv", "vg---lv"},
      {"a--b", "c", "a----b-c"},
  }));
  CHECK(mapped_name(group, volume) == name);
  const auto parsed = parse_mapped_name(name);
  REQUIRE(parsed);
  CHECK(*parsed == VolumeName{group, volume});
}

TEST_CASE("a name that does not consist of group and volume is rejected", "[model]") {
  const std::string name =
      GENERATE("", "vg", "vg-", "-lv", "vg--lv", "vg-lv-real", "vg-pool-tpool");
  CAPTURE(name);
  CHECK_FALSE(parse_mapped_name(name));
}
