#include <catch2/catch.hpp>

#include "lvmd/base/reason.hpp"
#include "sample_group.hpp"

using lvmd::Code;
using lvmd::volumes::worker::plan_remove;
using namespace lvmd::volumes::worker::test;
namespace model = lvmd::model;

namespace {

auto plan(std::string name, std::string device_class,
          const model::VolumeGroup& group = sample_group()) {
  return plan_remove(group, classes_of_vg0(),
                     {.name = std::move(name), .device_class = std::move(device_class)});
}

}  // namespace

TEST_CASE("a volume of the class is removed with or without lvmd's tags [P-REMOVE-6]", "[worker]") {
  // With this selection LVM removes no volume that other volumes need [P-REMOVE-21].
  const std::string command =
      "lvremove -f -y "
      "--select=lv_role!={thickorigin}&&lv_role!={extthinorigin}&&lv_layout!={pool} ";
  CHECK(lines(*plan("plain", "ssd")) == std::vector<std::string>{command + "vg0/plain"});
  CHECK(lines(*plan("thin1", "thin")) == std::vector<std::string>{command + "vg0/thin1"});
}

TEST_CASE("the removal of a missing volume is NOT_FOUND [P-REMOVE-1]", "[worker]") {
  const auto refused = plan("nowhere", "ssd");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kNotFound);
}

TEST_CASE("pools, internal volumes and volumes of other classes are not removed [P-REMOVE-2, H7]",
          "[worker]") {
  struct Row {
    const char* name;
    const char* device_class;
    const char* kind;
  };
  const auto row = GENERATE(Row{"pool0", "thin", "a thin pool"}, Row{"pool0", "ssd", "a thin pool"},
                            Row{"lvol0_pmspare", "ssd", "an internal volume of LVM"},
                            Row{"thin1", "ssd", "a thin volume of pool pool0"},
                            Row{"plain", "thin", "a linear volume"});
  const auto refused = plan(row.name, row.device_class);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kFailedPrecondition);
  CHECK_THAT(refused.error().message,
             Catch::StartsWith(std::string{row.name} + " is " + row.kind + ","));
}

TEST_CASE("if the pool of the class is missing, a removal is not NOT_FOUND [P-STATE-2]",
          "[worker]") {
  auto group = sample_group();
  std::erase_if(group.logical_volumes, [](const auto& lv) { return lv.name == "pool0"; });
  for (const char* const name : {"thin1", "nowhere"}) {
    const auto refused = plan(name, "thin", group);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Code::kUnavailable);
  }
}

TEST_CASE("if a reload removed the class, a removal is not NOT_FOUND [P-CLASS-2, P-RELOAD-4]",
          "[worker]") {
  const auto refused = plan("plain", "gold");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kUnavailable);
}

TEST_CASE("the origin of a thick snapshot is not removed [P-REMOVE-4]", "[worker]") {
  auto snapshot = volume("old", model::LvRole::kCowSnapshot, 4);
  snapshot.origin = "plain";
  const auto group = with(sample_group(), snapshot);
  const auto refused = plan("plain", "ssd", group);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kFailedPrecondition);
  CHECK(refused.error().message == "plain is the origin of the snapshots old: remove them first");
  CHECK(plan("old", "ssd", group));
}

TEST_CASE(
    "the external origin of thin volumes is not removed, and the error names them [P-REMOVE-4]",
    "[worker]") {
  auto clone = volume("clone", model::LvRole::kThin, 4);
  clone.origin = "plain";
  const auto group = with(sample_group(), clone);
  const auto refused = plan("plain", "ssd", group);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kFailedPrecondition);
  CHECK(refused.error().reason == lvmd::reason::kVolumeNeeded);
  CHECK(refused.error().message ==
        "plain is the external origin of the thin volumes clone: remove them first");
  CHECK(plan("clone", "thin", group));
}

TEST_CASE("only thin volumes of another pool need their thin origin [P-REMOVE-4]", "[worker]") {
  auto snapshot = volume("snapshot", model::LvRole::kThin, 4);
  snapshot.origin = "thin1";
  auto elsewhere = snapshot;
  elsewhere.name = "elsewhere";
  elsewhere.pool = "pool1";
  CHECK(plan("thin1", "thin", with(sample_group(), snapshot)));
  CHECK_FALSE(plan("thin1", "thin", with(sample_group(), elsewhere)));
}
