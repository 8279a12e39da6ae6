#include <catch2/catch.hpp>

#include "lvmd/model/available.hpp"
#include "lvmd/model/metadata_space.hpp"

using namespace lvmd::model;
using lvmd::Code;

namespace {

VolumeGroup group_with_space(std::uint64_t longest, std::uint64_t free) {
  return {.name = "vg",
          .extent_size = {4'194'304},
          .physical_volumes = {{.size = {100}, .free = {100}}},
          .copies = {.longest_text = {longest}, .free = {free}}};
}

}  // namespace

TEST_CASE("a text that does not fit is rejected with both numbers [P-CREATE-10]", "[model]") {
  const VolumeGroup group = group_with_space(30'000, 500);
  CHECK(check_metadata_space(group, {500}));
  const auto refused = check_metadata_space(group, {501});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kResourceExhausted);
  CHECK(refused.error().reason == "METADATA_AREA_FULL");
  CHECK_THAT(refused.error().message, Catch::Contains("30000 bytes") && Catch::Contains("has 500"));
  // Unknown space: only LVM can decide.
  CHECK(check_metadata_space(group_with_space(0, 0), {501}));
}

TEST_CASE("a group whose metadata area has no space offers nothing [P-CREATE-10]", "[model]") {
  const DeviceClass thick{.volume_group = "vg", .spare = {0}};
  CHECK(available(group_with_space(30'000, 100), thick) == Bytes{0});
  CHECK(available(group_with_space(30'000, 1'000), thick) == Bytes{std::uint64_t{100} * 4'194'304});
}

TEST_CASE("the text of tags includes quotes and separators [P-CREATE-10]", "[model]") {
  const std::vector<std::string> tags{"ab", "c"};
  CHECK(least_text(tags).value == kLeastVolumeText.value + 3 + 8);
  CHECK(most_text(tags, 3) > most_text(tags, 1));
  CHECK(least_text(tags) < most_text(tags, 1));
}

TEST_CASE("an area with less than a tenth free is nearly full [P-HEALTH-9]", "[model]") {
  CHECK_FALSE(is_metadata_nearly_full(group_with_space(1000, 100)));
  CHECK(is_metadata_nearly_full(group_with_space(1000, 99)));
  CHECK_FALSE(is_metadata_nearly_full(group_with_space(0, 0)));
}
