#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lvmd/volumes/service/volume_by_handle.hpp"
#include "lvmd/volumes/service/volume_device.hpp"
#include "tests/unit/volumes/service/sample_node.hpp"

using namespace lvmd;
using namespace lvmd::volumes;

namespace {

using Volumes = std::vector<model::LogicalVolume>;
using Metadata = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kUid = "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0";

// A volume that lvmd created.
model::LogicalVolume tagged(std::string name, model::LvRole role = model::LvRole::kPlain,
                            std::string pool = {}) {
  auto volume = sample_volume(std::move(name), role, std::move(pool));
  volume.tags = {"lvmd.v1:class=ssd", "lvmd.v1:size=41943040"};
  return volume;
}

// The configured groups vg0 and vg1 with these volumes.
struct Node {
  explicit Node(Volumes in_vg0, Volumes in_vg1 = {}) {
    read_model.apply(sample_state("vg0", 1, 10, std::move(in_vg0)));
    read_model.apply(sample_state("vg1", 1, 10, std::move(in_vg1)));
  }
  [[nodiscard]] Result<HandledVolume> find(const std::string& handle) const {
    return volume_by_handle(sample_catalog(), read_model, handle);
  }

  ReadModel read_model{{"vg0", "vg1"}};
};

std::string group_of(const Result<HandledVolume>& found) {
  return found ? found->group->name : found.error().message;
}

}  // namespace

TEST_CASE("a handle is the name of a volume in any of the configured groups [P-CSI-10]",
          "[server]") {
  const Node node{{tagged("a"), tagged("b")}, {tagged("c")}};
  CHECK(group_of(node.find("b")) == "vg0");
  const auto found = node.find("c");
  REQUIRE(found);
  CHECK(found->group->name == "vg1");
  CHECK(found->volume == found->group->find("c"));
  CHECK(found->device.volume_group() == "vg1");
  CHECK(found->device.name() == "c");
}

TEST_CASE("a volume has the same device by its handle as by its class", "[server]") {
  const auto pool = sample_volume("pool0", model::LvRole::kThinPool);
  auto volume = tagged("v", model::LvRole::kThin, "pool0");
  volume.id = "YQ2vaNKLz1pQ9sTbX4cW7dR0eF8gH6jm";
  volume.origin = "source";
  volume.writable = false;
  volume.device = model::DeviceState{.major = 253, .minor = 7};
  const Node node{{pool, volume}};
  const auto found = node.find("v");
  REQUIRE(found);
  const auto catalog = sample_catalog();
  const auto by_class = find_device(node.read_model, *catalog.find_device_class("thin"), "v");
  REQUIRE(by_class);
  CHECK(found->device.SerializeAsString() == by_class->SerializeAsString());
  CHECK(found->device.minor() == 7);
  CHECK(found->device.snapshot());
  CHECK(found->device.uuid().ends_with(volume.id));
}

TEST_CASE("a volume whose class was removed keeps its handle [P-CSI-10]", "[server]") {
  // No class of the catalog has the pool pool9.
  const Node node{{tagged("v", model::LvRole::kThin, "pool9")}};
  CHECK(group_of(node.find("v")) == "vg0");
}

TEST_CASE("a handle that is no name of a volume is refused [P-CSI-10]", "[server]") {
  const Node node{{tagged("a")}};
  for (const char* const handle : {"", ".", "..", "-a", "vg0/a", "a b", "../a", "a\n"}) {
    CAPTURE(handle);
    const auto found = node.find(handle);
    REQUIRE_FALSE(found);
    CHECK(found.error().code == Code::kInvalidArgument);
    CHECK(found.error().reason == "INVALID_NAME");
    CHECK(found.error().metadata == Metadata{{"field", "volume_id"}, {"value", handle}});
  }
}

TEST_CASE("a handle of no volume is not found if all groups are known [P-CSI-10]", "[server]") {
  Node node{{tagged("a")}, {tagged("new")}};
  node.read_model.hide("vg1", {"new"});
  // A volume in creation does not exist yet.
  for (const char* const handle : {"b", "new"}) {
    const auto found = node.find(handle);
    REQUIRE_FALSE(found);
    CHECK(found.error().code == Code::kNotFound);
    CHECK(found.error().reason == "VOLUME_NOT_FOUND");
    CHECK(found.error().message ==
          std::string{"volume_id: no volume group of lvmd.yaml has a volume "} + handle);
  }
  node.read_model.hide("vg1", {});
  CHECK(group_of(node.find("new")) == "vg1");
}

TEST_CASE("a volume may be in a group that cannot be read [P-CSI-10]", "[server]") {
  Node node{{tagged("a")}};
  SECTION("the group does not exist") { node.read_model.apply(missing_state("vg1", 2)); }
  SECTION("the group has not been read") {
    node.read_model.set_volume_groups({"vg0"});
    node.read_model.set_volume_groups({"vg0", "vg1"});
  }
  SECTION("a reload is removing the group") { node.read_model.set_volume_groups({"vg0"}); }
  const auto found = node.find("b");
  REQUIRE_FALSE(found);
  CHECK(found.error().code == Code::kUnavailable);
  CHECK(found.error().reason == "VOLUME_GROUP_UNAVAILABLE");
  CHECK(found.error().metadata == Metadata{{"vg", "vg1"}});
  CHECK(found.error().message.starts_with(
      "volume_id: volume b was not found in the groups that can be read: volume group vg1 "));
  // That group does not affect the volumes of the other one.
  CHECK(group_of(node.find("a")) == "vg0");
}

TEST_CASE("whatever is wrong with a group, its volumes are not reported as lost [P-CSI-10]",
          "[server]") {
  Node node{{}};
  auto state = missing_state("vg1", 2);
  state.group = fail(Code::kNotFound, "gone").because("OTHER");
  node.read_model.apply(std::move(state));
  CHECK(node.find("b").error().code == Code::kUnavailable);
}

TEST_CASE("a handle of volumes in several groups is refused [P-CSI-10]", "[server]") {
  Node node{{tagged("a")}, {tagged("a")}};
  const auto found = node.find("a");
  REQUIRE_FALSE(found);
  CHECK(found.error().code == Code::kFailedPrecondition);
  CHECK(found.error().reason == "VOLUME_AMBIGUOUS");
  CHECK(found.error().metadata ==
        Metadata{{"field", "volume_id"}, {"value", "a"}, {"existing", "vg0, vg1"}});
  CHECK(found.error().message.contains("several volume groups have a volume a: vg0, vg1"));
  // Also if only one of the two could be used.
  CHECK(Node({tagged("a")}, {sample_volume("a", model::LvRole::kPlain)}).find("a").error().reason ==
        "VOLUME_AMBIGUOUS");
  // A volume in creation does not count.
  node.read_model.hide("vg0", {"a"});
  CHECK(group_of(node.find("a")) == "vg1");
}

TEST_CASE("only volumes of lvmd and of TopoLVM have handles [P-CSI-11]", "[server]") {
  const std::string name = GENERATE(
      "root", "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f", "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f01",
      "0B1C2D3E-4F50-6172-8394-A5B6C7D8E9F0", "0b1c2d3e-4f50-6172-8394-a5b6c7d8e9fg",
      "0b1c2d3e+4f50-6172-8394-a5b6c7d8e9f0", "0b1c2d3e44f50-6172-8394-a5b6c7d8e9f0");
  CAPTURE(name);
  auto volume = sample_volume(name, model::LvRole::kPlain);
  SECTION("no tags") {}
  SECTION("an incomplete set of tags") { volume.tags = {"lvmd.v1:class=ssd", "mine"}; }
  const auto found = Node{{volume}}.find(name);
  REQUIRE_FALSE(found);
  CHECK(found.error().code == Code::kFailedPrecondition);
  CHECK(found.error().reason == "VOLUME_FOREIGN");
  CHECK(found.error().metadata == Metadata{{"field", "volume_id"}, {"value", name}, {"vg", "vg0"}});
  CHECK(found.error().message == "volume_id: vg0/" + name +
                                     " is not a volume that lvmd or TopoLVM created: its tags and "
                                     "its name do not say so");
  CHECK(group_of(Node{{tagged(name)}}.find(name)) == "vg0");
}

TEST_CASE("a volume of TopoLVM needs no tags [P-CSI-11]", "[server]") {
  for (const model::LvRole role :
       {model::LvRole::kPlain, model::LvRole::kThin, model::LvRole::kCowSnapshot})
    CHECK(group_of(Node{{sample_volume(kUid, role, "pool0")}}.find(kUid)) == "vg0");
}

TEST_CASE("a pool or a part of a volume has no handle, whatever its name and tags [P-CSI-11]",
          "[server]") {
  const auto [role, kind] = GENERATE(
      table<model::LvRole, std::string>({{model::LvRole::kThinPool, "a thin pool"},
                                         {model::LvRole::kInternal, "an internal volume of LVM"}}));
  const auto found = Node{{tagged(kUid, role)}}.find(kUid);
  REQUIRE_FALSE(found);
  CHECK(found.error().code == Code::kFailedPrecondition);
  CHECK(found.error().reason == "VOLUME_FOREIGN");
  CHECK(found.error().message == std::string{"volume_id: vg0/"} + kUid + " is " + kind);
}

TEST_CASE("a volume is not whole until its restore is completed [P-CSI-12]", "[server]") {
  auto volume = tagged("v");
  CHECK(check_restored(volume));
  volume.tags.emplace_back("lvmd.v1:restored=monday");
  CHECK(check_restored(volume));
  volume.tags.emplace_back("lvmd.v1:restore=tuesday");
  const auto refused = check_restored(volume);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == Code::kUnavailable);
  CHECK(refused.error().reason == "RESTORE_UNDER_WAY");
  CHECK(refused.error().metadata ==
        Metadata{{"field", "volume_id"}, {"value", "v"}, {"transfer", "tuesday"}});
  CHECK(refused.error().message.contains("restore tuesday has begun and is not completed"));
  // Unstage and Unpublish need the volume all the same.
  CHECK(group_of(Node{{volume}}.find("v")) == "vg0");
}
