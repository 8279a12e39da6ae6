#include <catch2/catch.hpp>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/ownership.hpp"
#include "sample_group.hpp"

using lvmd::Code;
using lvmd::volumes::worker::plan_create;
using lvmd::volumes::worker::plan_tags;
using namespace lvmd::volumes::worker::test;
namespace model = lvmd::model;
namespace reason = lvmd::reason;

namespace {

using Tags = std::vector<std::string>;

const std::string kBegun = "lvmd.v1:restore=tuesday";
const std::string kCompleted = "lvmd.v1:restored=tuesday";

// "plain" with its creation tags and these tags.
model::VolumeGroup group_with(Tags tags) {
  auto group = sample_group();
  auto lv = std::ranges::find(group.logical_volumes, "plain", &model::LogicalVolume::name);
  lv->tags = {"lvmd.v1:class=ssd", "lvmd.v1:size=16777216", "mine"};
  lv->tags.insert(lv->tags.end(), tags.begin(), tags.end());
  return group;
}

auto tags_plan(Tags present, Tags add, Tags remove, bool only_if_blank = false) {
  return plan_tags(group_with(std::move(present)), classes_of_vg0(),
                   {.name = "plain",
                    .device_class = "ssd",
                    .add = std::move(add),
                    .remove = std::move(remove),
                    .only_if_blank = only_if_blank});
}

}  // namespace

TEST_CASE("one command sets and clears marks [P-TAG-6]", "[worker]") {
  CHECK(lines(*tags_plan({}, {kBegun}, {})) ==
        Tags{"lvchange --addtag=lvmd.v1:restore=tuesday vg0/plain"});
  CHECK(lines(*tags_plan({kBegun}, {kCompleted}, {kBegun})) ==
        Tags{"lvchange --addtag=lvmd.v1:restored=tuesday --deltag=lvmd.v1:restore=tuesday "
             "vg0/plain"});
  CHECK(tags_plan({}, {kBegun}, {})->one_commit);
}

TEST_CASE("marks that already are as requested need no command [P-TAG-6]", "[worker]") {
  CHECK(lines(*tags_plan({kBegun}, {kBegun}, {})).empty());
  CHECK(lines(*tags_plan({}, {}, {kBegun})).empty());
  CHECK(lines(*tags_plan({kCompleted}, {kCompleted}, {kBegun})).empty());
  CHECK(lines(*tags_plan({kBegun}, {kCompleted, kBegun}, {})) ==
        Tags{"lvchange --addtag=lvmd.v1:restored=tuesday vg0/plain"});
}

TEST_CASE("the volume is checked to be blank only if a mark is added [P-XFER-21]", "[worker]") {
  CHECK(tags_plan({}, {kBegun}, {}, true)->only_if_blank);
  CHECK_FALSE(tags_plan({}, {kBegun}, {})->only_if_blank);
  CHECK_FALSE(tags_plan({kBegun}, {kBegun}, {}, true)->only_if_blank);
  CHECK_FALSE(tags_plan({kBegun}, {}, {kBegun}, true)->only_if_blank);
}

TEST_CASE("a key has at most one value [P-TAG-6]", "[worker]") {
  const auto refused = tags_plan({"lvmd.v1:restore=monday"}, {kBegun}, {});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kFailedPrecondition);
  CHECK(refused.error().reason == reason::kMarkDiffers);
  CHECK(refused.error().message ==
        "volume plain has the mark restore=monday and cannot have restore=tuesday too");
  CHECK(lines(*tags_plan({"lvmd.v1:restore=monday"}, {kBegun}, {"lvmd.v1:restore=monday"})) ==
        Tags{"lvchange --addtag=lvmd.v1:restore=tuesday --deltag=lvmd.v1:restore=monday "
             "vg0/plain"});
  CHECK_FALSE(tags_plan({}, {kBegun, "lvmd.v1:restore=monday"}, {}));
  // A longer key with the same prefix is a different key.
  CHECK(tags_plan({"lvmd.v1:restored=monday"}, {kBegun}, {}));
}

TEST_CASE("the mark of a key is replaced, whatever its value [P-OWNER-1]", "[worker]") {
  const auto replace = [](Tags present, Tags add) {
    return plan_tags(
        group_with(std::move(present)), classes_of_vg0(),
        {.name = "plain", .device_class = "ssd", .add = std::move(add), .replace = {"owner"}});
  };
  const std::string one = model::owner_tag("one");
  const std::string two = model::owner_tag("two");
  CHECK(lines(*replace({one}, {})) == Tags{"lvchange --deltag=" + one + " vg0/plain"});
  CHECK(lines(*replace({one}, {two})) ==
        Tags{"lvchange --addtag=" + two + " --deltag=" + one + " vg0/plain"});
  CHECK(lines(*replace({two}, {two})).empty());
  CHECK(lines(*replace({kBegun}, {})).empty());
  const auto refused = plan_tags(group_with({}), classes_of_vg0(),
                                 {.name = "plain", .device_class = "ssd", .replace = {"class"}});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kInvalidArgument);
}

TEST_CASE("creation tags and callers' tags are not changed [P-TAG-6]", "[worker]") {
  const std::string tag =
      GENERATE("mine", "lvmd.v1:class=other", "lvmd.v1:size=1", "lvmd.v1:opt=a", "lvmd.v1:src=a",
               "lvmd.v1:access=ro", "lvmd.v1:restore", "lvmd.v1:restore=", "lvmd.v1:=a",
               "lvmd.v1:restore=a b", "lvmd.v1:Restore=a", "restore=a");
  CAPTURE(tag);
  for (const auto& refused : {tags_plan({}, {tag}, {}), tags_plan({}, {}, {tag})}) {
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == Code::kInvalidArgument);
  }
}

TEST_CASE("only a volume of the class can be marked [P-TAG-6]", "[worker]") {
  const auto refusal = [](std::string name, std::string device_class) {
    const auto refused = plan_tags(
        sample_group(), classes_of_vg0(),
        {.name = std::move(name), .device_class = std::move(device_class), .add = {kBegun}});
    REQUIRE_FALSE(refused);
    return std::pair{refused.error().code, refused.error().reason};
  };
  CHECK(refusal("nowhere", "ssd") == std::pair{Code::kNotFound, std::string{"VOLUME_NOT_FOUND"}});
  CHECK(refusal("pool0", "ssd") ==
        std::pair{Code::kFailedPrecondition, std::string{"NOT_OF_CLASS"}});
  CHECK(refusal("thin1", "ssd") ==
        std::pair{Code::kFailedPrecondition, std::string{"NOT_OF_CLASS"}});
  CHECK(refusal("plain", "gold") == std::pair{Code::kUnavailable, std::string{"RELOADED"}});
}

TEST_CASE("a group that misses a PV is not changed [P-STATE-5]", "[worker]") {
  auto group = group_with({kBegun});
  group.physical_volumes.back().missing = true;
  const auto with_tags = [&group](const Tags& add, const Tags& remove) {
    return plan_tags(group, classes_of_vg0(),
                     {.name = "plain", .device_class = "ssd", .add = add, .remove = remove});
  };
  REQUIRE_FALSE(with_tags({}, {kBegun}));
  CHECK(with_tags({}, {kBegun}).error().code == Code::kUnavailable);
  CHECK(with_tags({kBegun}, {}));
}

TEST_CASE("a marked volume is identical to its create request [P-IDEM-3, P-TAG-6]", "[worker]") {
  const auto repeated = plan_create(group_with({kBegun}), classes_of_vg0(),
                                    {.name = "plain",
                                     .device_class = "ssd",
                                     .option_class = "",
                                     .tags = {"mine"},
                                     .size = {4 * kExtent}});
  REQUIRE(repeated);
  CHECK(repeated->commands.empty());
}
