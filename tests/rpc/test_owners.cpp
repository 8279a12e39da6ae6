// Owners of volumes: set at creation or later, and listed on the full socket.
#include <algorithm>
#include <catch2/catch.hpp>

#include "lvmd/base/reason.hpp"
#include "lvmd/model/ownership.hpp"
#include "reconciler/lvmd_client/lvmd_client.hpp"
#include "tests/contract/scratch.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;

namespace {

const std::string kOwner = "kube/0f8c1a52-3b9d-4e6f-a1b2-0123456789ab";

v1::SetOwnerRequest owner_request(const std::string& owner, const std::string& name = "one",
                                  const std::string& device_class = "thick") {
  v1::SetOwnerRequest request;
  request.set_name(name);
  request.set_device_class(device_class);
  request.set_owner(owner);
  return request;
}

struct Stage {
  std::unique_ptr<fakes::FakeNode> node = start_node();
  Client client{node->socket()};
  std::unique_ptr<reconciler::VolumeService> service = reconciler::make_lvmd_client(node->socket());

  // The volume as in ListVolumes; an empty name when it is not listed.
  v1::OwnedVolume listed(const std::string& name = "one") {
    const auto all = client.list_volumes();
    REQUIRE(all.ok());
    const auto found = std::ranges::find(all.response.volumes(), name,
                                         [](const auto& volume) { return volume.name(); });
    return found == all.response.volumes().end() ? v1::OwnedVolume{} : *found;
  }
  std::vector<std::string> tags(const std::string& name = "one") const {
    std::vector<std::string> tags;
    REQUIRE(node->by_hand("vg_thick",
                          [&](fakes::FakeGroup& group) { tags = group.group().find(name)->tags; }));
    return tags;
  }
};

}  // namespace

TEST_CASE("an owner is set, replaced and cleared, and each call can be repeated [P-OWNER-1]",
          "[rpc]") {
  Stage stage;
  REQUIRE(stage.client.create(create_request("thick", "one", kExtent)).ok());
  CHECK(stage.listed().owner().empty());
  for (const std::string& owner :
       {kOwner, kOwner, std::string{"kube/other"}, std::string{}, std::string{}, kOwner}) {
    CAPTURE(owner);
    CHECK(stage.client.set_owner(owner_request(owner)).ok());
    CHECK(stage.listed().owner() == owner);
  }
  const auto tags = stage.tags();
  CHECK(std::ranges::count_if(
            tags, [](const std::string& tag) { return model::private_key(tag) == "owner"; }) == 1);
}

TEST_CASE("a volume is created with its owner in one command [P-OWNER-2]", "[rpc]") {
  Stage stage;
  REQUIRE(
      stage.service->create({.name = "one", .device_class = "thin"}, "", {kExtent}, kOwner, ""));
  CHECK(stage.listed().owner() == kOwner);
  REQUIRE(stage.service->create_snapshot({.name = "two", .device_class = "thin"}, "one", "ro",
                                         {kExtent}, kOwner));
  CHECK(stage.listed("two").owner() == kOwner);
  // One change each; TopoLVM's protocol does not show the owner.
  CHECK(stage.node->worker("vg_thick").requests() == 2);
  CHECK(listed(stage.client, "thin", "one").tags().empty());
}

TEST_CASE("the owner does not count for whether a request is identical [P-OWNER-3, P-IDEM-3]",
          "[rpc]") {
  Stage stage;
  const reconciler::VolumeName one{.name = "one", .device_class = "thick"};
  REQUIRE(stage.service->create(one, "", {kExtent}, kOwner, ""));
  CHECK(stage.service->create(one, "", {kExtent}, "", ""));
  CHECK(stage.service->create(one, "", {kExtent}, "kube/other", ""));
  CHECK(stage.listed().owner() == kOwner);
}

TEST_CASE("an invalid owner, and a volume that does not exist, are refused [P-OWNER-1, P-OWNER-2]",
          "[rpc]") {
  Stage stage;
  REQUIRE(stage.client.create(create_request("thick", "one", kExtent)).ok());
  for (const std::string& wrong :
       {std::string{"two words"}, std::string{"@a"}, std::string(257, 'a')}) {
    CAPTURE(wrong);
    const auto refused = stage.client.set_owner(owner_request(wrong));
    CHECK(refused.code == Code::kInvalidArgument);
    CHECK(refused.reason == reason::kInvalidTag);
  }
  const auto made = stage.service->create({.name = "two", .device_class = "thick"}, "", {kExtent},
                                          "two words", "");
  REQUIRE_FALSE(made);
  CHECK(made.error().code == Code::kInvalidArgument);
  CHECK(made.error().message.contains("lvmd-owner"));
  CHECK(stage.client.set_owner(owner_request(kOwner, "nobody")).reason == reason::kVolumeNotFound);
  CHECK(stage.client.set_owner(owner_request(kOwner, "one", "gold")).reason ==
        reason::kUnknownDeviceClass);
  CHECK(stage.listed().owner().empty());
}

TEST_CASE("all classes are listed, with the problem of an unusable one [P-OWNER-4]", "[rpc]") {
  Stage stage;
  REQUIRE(stage.client.create(create_request("thick", "b", kExtent)).ok());
  REQUIRE(stage.client.create(create_request("striped", "a", 2 * kExtent)).ok());
  REQUIRE(stage.client.create(create_request("thin", "a-thin", kExtent)).ok());
  const auto all = stage.client.list_volumes();
  REQUIRE(all.ok());
  std::vector<std::string> classes;
  for (const v1::ClassState& state : all.response.classes())
    classes.push_back(state.name() + " " + state.volume_group() +
                      (state.is_default() ? " default" : "") +
                      (state.problem().empty() ? "" : " !"));
  CHECK(std::ranges::count(classes, "thick vg_thick default") == 1);
  CHECK(std::ranges::count(classes, "thin vg_thick") == 1);
  CHECK(std::ranges::count(classes, "absent vg_absent !") == 1);
  std::vector<std::string> paths;
  for (const v1::OwnedVolume& volume : all.response.volumes()) paths.push_back(volume.path());
  CHECK(paths ==
        std::vector<std::string>{"/dev/vg_striped/a", "/dev/vg_thick/a-thin", "/dev/vg_thick/b"});
  CHECK(stage.listed("b").device_class() == "thick");
  CHECK(stage.listed("b").size_bytes() == kExtent);
}

TEST_CASE("owners are on the full socket only [P-OWNER-5]", "[rpc]") {
  Stage stage;
  Client reader{stage.node->read_only_socket()};
  CHECK(reader.list_volumes().code == Code::kUnimplemented);
  CHECK(reader.set_owner(owner_request(kOwner)).code == Code::kUnimplemented);
}

TEST_CASE(
    "the reconciler gets the default class, and the classes that lvmd can't list [R-DELETE-2, "
    "R-CREATE-8]",
    "[rpc]") {
  Stage stage;
  REQUIRE(
      stage.service->create({.name = "one", .device_class = "thick"}, "", {kExtent}, kOwner, ""));
  const auto inventory = stage.service->inventory();
  REQUIRE(inventory.has_value());
  CHECK(inventory->is_complete);
  REQUIRE(inventory->volumes.size() == 1);
  CHECK(inventory->volumes.front().owner == kOwner);
  CHECK(inventory->classes == std::set<std::string>{"", "thick", "thin", "striped"});
  CHECK(std::ranges::count(inventory->unusable, "absent", &reconciler::UnusableClass::name) == 1);
  CHECK(stage.service->default_class() == "thick");
  REQUIRE(stage.service->set_owner({.name = "one", .device_class = "thick"}, ""));
  CHECK(stage.service->inventory()->volumes.front().owner.empty());
}
