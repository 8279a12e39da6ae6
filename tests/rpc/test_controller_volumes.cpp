// Volumes of csi-controller, as the sidecars see it.
#include <catch2/catch.hpp>
#include <chrono>
#include <set>
#include <string>

#include "tests/rpc/controller_rig.hpp"

using namespace lvmd;
using namespace lvmd::rpc;
using namespace lvmd::controller::test;
namespace api = lvmd::controller::api;
using reconciler::LogicalVolume;
using Stub = api::Controller::Stub;

namespace {

api::CreateVolumeRequest volume_request(const std::string& name = "pvc-1") {
  api::CreateVolumeRequest request;
  request.set_name(name);
  request.mutable_capacity_range()->set_required_bytes(kGi);
  *request.add_volume_capabilities() = mount_capability("xfs");
  return request;
}

std::string create(ControllerRig& rig, const std::string& name) {
  const auto created = send(*rig.controller, &Stub::CreateVolume, volume_request(name));
  REQUIRE(created.status.ok());
  return created.response.volume().volume_id();
}

}  // namespace

TEST_CASE("a volume is created, found, grown and deleted by its handle [C-CALL-1, C-VOL-1]",
          "[rpc][csi]") {
  ControllerRig rig;
  api::CreateVolumeRequest request = volume_request();
  add_node(*request.mutable_accessibility_requirements()->mutable_requisite(), "n1");
  const auto created = send(*rig.controller, &Stub::CreateVolume, request);
  REQUIRE(created.status.ok());
  const api::Volume& volume = created.response.volume();
  CHECK(volume.capacity_bytes() == kGi);
  CHECK(volume.accessible_topology(0).segments().at("topology.topolvm.io/node") == "n1");
  CHECK_FALSE(volume.has_content_source());

  api::ControllerGetVolumeRequest get;
  get.set_volume_id(volume.volume_id());
  CHECK(send(*rig.controller, &Stub::ControllerGetVolume, get).response.volume().volume_id() ==
        volume.volume_id());

  api::ControllerExpandVolumeRequest expand;
  expand.set_volume_id(volume.volume_id());
  CHECK(send(*rig.controller, &Stub::ControllerExpandVolume, expand).code() ==
        Code::kInvalidArgument);
  expand.mutable_capacity_range()->set_required_bytes(2 * kGi);
  const auto grown = send(*rig.controller, &Stub::ControllerExpandVolume, expand);
  REQUIRE(grown.status.ok());
  CHECK(grown.response.capacity_bytes() == 2 * kGi);
  CHECK(grown.response.node_expansion_required());

  api::DeleteVolumeRequest remove;
  CHECK(send(*rig.controller, &Stub::DeleteVolume, remove).code() == Code::kInvalidArgument);
  remove.set_volume_id(volume.volume_id());
  CHECK(send(*rig.controller, &Stub::DeleteVolume, remove).status.ok());
  CHECK_FALSE(rig.objects.find("pvc-1"));
  CHECK(send(*rig.controller, &Stub::DeleteVolume, remove).status.ok());
  CHECK(send(*rig.controller, &Stub::ControllerGetVolume, get).code() == Code::kNotFound);
}

TEST_CASE("growth: a block device needs no step on the node, and nothing shrinks [C-GROW-4]",
          "[rpc][csi]") {
  ControllerRig rig;
  api::ControllerExpandVolumeRequest expand;
  expand.set_volume_id(create(rig, "pvc-1"));
  *expand.mutable_volume_capability() = block_capability();
  expand.mutable_capacity_range()->set_required_bytes(1);
  const auto unchanged = send(*rig.controller, &Stub::ControllerExpandVolume, expand);
  CHECK(unchanged.response.capacity_bytes() == kGi);
  CHECK_FALSE(unchanged.response.node_expansion_required());
  expand.mutable_capacity_range()->set_limit_bytes(kGi - 1);
  CHECK(send(*rig.controller, &Stub::ControllerExpandVolume, expand).code() == Code::kOutOfRange);
  expand.set_volume_id("unknown");
  CHECK(send(*rig.controller, &Stub::ControllerExpandVolume, expand).code() == Code::kNotFound);
}

TEST_CASE("a wrong request creates no object [C-CAP-1, C-PARAM-2, C-SIZE-1]", "[rpc][csi]") {
  ControllerRig rig;
  const auto code_of = [&rig](const api::CreateVolumeRequest& request) {
    return send(*rig.controller, &Stub::CreateVolume, request).code();
  };
  api::CreateVolumeRequest request = volume_request("");
  CHECK(code_of(request) == Code::kInvalidArgument);
  request = volume_request();
  request.clear_volume_capabilities();
  CHECK(code_of(request) == Code::kInvalidArgument);
  request = volume_request();
  (*request.mutable_parameters())["topolvm.io/device-clas"] = "ssd";
  CHECK(code_of(request) == Code::kInvalidArgument);
  request = volume_request();
  request.mutable_capacity_range()->set_limit_bytes(1);
  CHECK(code_of(request) == Code::kInvalidArgument);
  request = volume_request();
  (*request.mutable_mutable_parameters())["a"] = "b";
  CHECK(code_of(request) == Code::kInvalidArgument);
  request = volume_request();
  request.mutable_volume_content_source();
  CHECK(code_of(request) == Code::kInvalidArgument);
  request.mutable_volume_content_source()->mutable_snapshot()->set_snapshot_id("unknown");
  CHECK(code_of(request) == Code::kNotFound);
  CHECK(rig.objects.requests == std::vector<std::string>{"list"});
}

TEST_CASE("a volume begins with the content of a volume or a snapshot [C-OBJ-5]", "[rpc][csi]") {
  ControllerRig rig;
  rig.objects.add(sample_volume("origin"));
  rig.objects.add(sample_snapshot("snapshot-1", "origin"));
  api::CreateVolumeRequest request = volume_request("clone");
  request.mutable_volume_content_source()->mutable_volume()->set_volume_id("uid-of-origin");
  const auto clone = send(*rig.controller, &Stub::CreateVolume, request);
  REQUIRE(clone.status.ok());
  CHECK(clone.response.volume().content_source().volume().volume_id() == "uid-of-origin");
  CHECK(rig.objects.find("clone")->spec.source == "origin");
  request.set_name("restored");
  request.mutable_volume_content_source()->mutable_snapshot()->set_snapshot_id("uid-of-snapshot-1");
  CHECK(send(*rig.controller, &Stub::CreateVolume, request).status.ok());
  CHECK(rig.objects.find("restored")->spec.source == "snapshot-1");
  rig.objects.change("origin", [](LogicalVolume& object) { object.removal_wanted = true; });
  request.set_name("late");
  request.mutable_volume_content_source()->mutable_volume()->set_volume_id("uid-of-origin");
  CHECK(send(*rig.controller, &Stub::CreateVolume, request).code() == Code::kNotFound);
}

TEST_CASE("the capabilities of a volume are confirmed, or refused with the reason [C-VOL-2]",
          "[rpc][csi]") {
  ControllerRig rig;
  api::ValidateVolumeCapabilitiesRequest request;
  request.set_volume_id(create(rig, "pvc-1"));
  CHECK(send(*rig.controller, &Stub::ValidateVolumeCapabilities, request).code() ==
        Code::kInvalidArgument);
  *request.add_volume_capabilities() = block_capability();
  const auto confirmed = send(*rig.controller, &Stub::ValidateVolumeCapabilities, request);
  CHECK(confirmed.response.confirmed().volume_capabilities_size() == 1);
  *request.mutable_volume_capabilities(0) = mount_capability("ntfs");
  const auto refused = send(*rig.controller, &Stub::ValidateVolumeCapabilities, request);
  REQUIRE(refused.status.ok());
  CHECK_FALSE(refused.response.has_confirmed());
  CHECK(refused.response.message().contains("ntfs"));
  request.set_volume_id("unknown");
  CHECK(send(*rig.controller, &Stub::ValidateVolumeCapabilities, request).code() ==
        Code::kNotFound);
}

TEST_CASE("volumes are listed page by page, without snapshots and unfinished ones [C-LIST-3]",
          "[rpc][csi]") {
  ControllerRig rig;
  std::set<std::string> handles{create(rig, "a"), create(rig, "b"), create(rig, "c")};
  rig.objects.add(sample_snapshot("snapshot-1", "a"));
  LogicalVolume unfinished = sample_volume("d");
  unfinished.status = {};
  rig.objects.add(unfinished);
  api::ListVolumesRequest request;
  request.set_max_entries(2);
  int pages = 0;
  do {
    const auto page = send(*rig.controller, &Stub::ListVolumes, request);
    REQUIRE(page.status.ok());
    for (const auto& entry : page.response.entries()) {
      CHECK(handles.erase(entry.volume().volume_id()) == 1);
      CHECK_FALSE(entry.status().volume_condition().abnormal());
      CHECK(entry.status().published_node_ids().empty());
    }
    request.set_starting_token(page.response.next_token());
    ++pages;
  } while (!request.starting_token().empty());
  CHECK(pages == 2);
  CHECK(handles.empty());
  request.set_starting_token("invalid-token");
  CHECK(send(*rig.controller, &Stub::ListVolumes, request).code() == Code::kAborted);
}

TEST_CASE("volumes with a problem are listed page by page [C-VOL-4, C-LIST-4]", "[rpc][csi]") {
  ControllerRig rig;
  for (const char* const name : {"a", "b", "c"}) {
    create(rig, name);
    rig.objects.change(name, [](LogicalVolume& object) {
      object.status.conditions = {
          reconciler::make_condition("Ready", "False", "NotFound", "the volume is missing")};
    });
  }
  const std::string sound = create(rig, "sound");
  api::ControllerListVolumeHealthRequest request;
  request.set_max_entries(2);
  const auto first = send(*rig.controller, &Stub::ControllerListVolumeHealth, request);
  REQUIRE(first.response.entries_size() == 2);
  request.set_starting_token(first.response.next_token());
  const auto second = send(*rig.controller, &Stub::ControllerListVolumeHealth, request);
  REQUIRE(second.response.entries_size() == 1);
  CHECK(second.response.next_token().empty());
  const api::VolumeHealth& listed = second.response.entries(0);
  REQUIRE(listed.health_statuses_size() == 1);
  CHECK(listed.health_statuses(0).status() == api::INACCESSIBLE);
  request.set_starting_token("invalid-token");
  CHECK(send(*rig.controller, &Stub::ControllerListVolumeHealth, request).code() == Code::kAborted);

  api::ControllerGetVolumeHealthRequest one;
  one.set_volume_id(listed.volume_id());
  const auto problem = send(*rig.controller, &Stub::ControllerGetVolumeHealth, one);
  REQUIRE(problem.response.volume_health().health_statuses_size() == 1);
  CHECK(problem.response.volume_health().health_statuses(0).reason() == "NotFound");
  CHECK(problem.response.volume_health().health_statuses(0).message() == "the volume is missing");
  one.set_volume_id(sound);
  const auto healthy = send(*rig.controller, &Stub::ControllerGetVolumeHealth, one);
  REQUIRE(healthy.status.ok());
  CHECK(healthy.response.volume_health().volume_id() == sound);
  CHECK(healthy.response.volume_health().health_statuses().empty());
  one.set_volume_id("unknown");
  CHECK(send(*rig.controller, &Stub::ControllerGetVolumeHealth, one).code() == Code::kNotFound);
}

TEST_CASE("the free capacity is that of node, class and capabilities [C-CAPA-1, C-CAPA-2]",
          "[rpc][csi]") {
  ControllerRig rig;
  rig.objects.known_nodes = {{.name = "n1", .capacities = {{"00default", 7}, {"ssd", 10}}},
                             {.name = "n2", .capacities = {{"00default", 5}, {"ssd", 30}}}};
  api::GetCapacityRequest request;
  (*request.mutable_parameters())["topolvm.io/device-class"] = "ssd";
  const auto capacity = [&] {
    const auto reply = send(*rig.controller, &Stub::GetCapacity, request);
    REQUIRE(reply.status.ok());
    return std::pair{reply.response.available_capacity(),
                     reply.response.maximum_volume_size().value()};
  };
  CHECK(capacity() == std::pair<std::int64_t, std::int64_t>{40, 30});
  auto& segments = *request.mutable_accessible_topology()->mutable_segments();
  segments["topology.topolvm.io/node"] = "n1";
  CHECK(capacity() == std::pair<std::int64_t, std::int64_t>{10, 10});
  request.mutable_parameters()->clear();
  CHECK(capacity() == std::pair<std::int64_t, std::int64_t>{7, 7});
  *request.add_volume_capabilities() = mount_capability("ntfs");
  CHECK(capacity() == std::pair<std::int64_t, std::int64_t>{0, 0});
  request.clear_volume_capabilities();
  segments.clear();
  segments["zone"] = "a";
  CHECK(capacity() == std::pair<std::int64_t, std::int64_t>{0, 0});
}
