#include <catch2/catch.hpp>

#include "sample_group.hpp"

using lvmd::Code;
using lvmd::volumes::worker::plan_resize;
using namespace lvmd::volumes::worker::test;
namespace model = lvmd::model;

namespace {

auto plan(std::string name, std::string device_class, std::uint64_t size) {
  return plan_resize(
      sample_group(), classes_of_vg0(),
      {.name = std::move(name), .device_class = std::move(device_class), .size = {size}});
}

}  // namespace

TEST_CASE("a volume grows to the size rounded up to extents [P-RESIZE-5, P-SIZE-4]", "[worker]") {
  CHECK(lines(*plan("plain", "ssd", 4 * kExtent + 1)) ==
        std::vector<std::string>{"lvresize -y -l 5 vg0/plain"});
  CHECK(lines(*plan("thin1", "thin", 12 * kExtent)) ==
        std::vector<std::string>{"lvresize -y -l 12 vg0/thin1"});
}

TEST_CASE("the current size or less, including 0, changes nothing [P-RESIZE-2]", "[worker]") {
  const auto planned = plan("plain", "ssd", GENERATE(0U, 1U, 4 * kExtent));
  REQUIRE(planned);
  CHECK(planned->commands.empty());
}

TEST_CASE("only the growth needs space [P-RESIZE-3]", "[worker]") {
  CHECK(plan("plain", "ssd", 204 * kExtent));
  const auto refused = plan("plain", "ssd", 204 * kExtent + 1);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kResourceExhausted);
  CHECK(plan("thin1", "thin", 100 * kExtent));
  CHECK_FALSE(plan("thin1", "thin", 101 * kExtent));
}

TEST_CASE("growing a volume that is not in the class is NOT_FOUND [P-RESIZE-1]", "[worker]") {
  struct Row {
    const char* name;
    const char* device_class;
  };
  const auto row = GENERATE(Row{"nowhere", "ssd"}, Row{"thin1", "ssd"}, Row{"plain", "thin"},
                            Row{"pool0", "ssd"}, Row{"lvol0_pmspare", "ssd"});
  const auto refused = plan(row.name, row.device_class, 20 * kExtent);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kNotFound);
}

TEST_CASE("growth is computed with the layout of the volume, not of the class [P-RESIZE-3]",
          "[worker]") {
  auto raid = volume("raid", model::LvRole::kPlain, 4);
  raid.segment_type = "raid1";
  raid.stripes = 2;
  const auto group = with(sample_group(), raid);
  const auto grown = [&group](std::uint64_t size) {
    return plan_resize(group, classes_of_vg0(),
                       {.name = "raid", .device_class = "striped", .size = {size}});
  };
  // The size is not rounded to the two images; two images need twice the space.
  CHECK(lines(*grown(4 * kExtent + 1)) == std::vector<std::string>{"lvresize -y -l 5 vg0/raid"});
  CHECK(grown(104 * kExtent));
  CHECK(grown(105 * kExtent).error().code == Code::kResourceExhausted);
}

TEST_CASE("a thin volume does not grow above the high-water mark of its pool [P-THIN-1]",
          "[worker]") {
  auto catalog = classes_of_vg0();
  catalog.device_classes[3].thin_pool->metadata_high_water_percent = 50;
  auto group = sample_group();
  group.logical_volumes[2].usage = model::PoolUsage{.data_percent = 1, .metadata_percent = 50};
  const auto refused = plan_resize(
      group, catalog, {.name = "thin1", .device_class = "thin", .size = {12 * kExtent}});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kResourceExhausted);
  CHECK_THAT(refused.error().message, Catch::Contains("has a metadata usage of"));
}
