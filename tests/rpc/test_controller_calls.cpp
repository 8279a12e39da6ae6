// What holds for all calls of csi-controller, and the calls for attaching.
#include <catch2/catch.hpp>
#include <chrono>
#include <set>
#include <string>

#include "tests/rpc/controller_rig.hpp"

using namespace lvmd;
using namespace lvmd::rpc;
using namespace lvmd::controller::test;
namespace api = lvmd::controller::api;
using Rpc = api::ControllerServiceCapability::RPC;
using Stub = api::Controller::Stub;

namespace {

std::set<int> capabilities_of(ControllerRig& rig) {
  std::set<int> types;
  const auto reply = send(*rig.controller, &Stub::ControllerGetCapabilities);
  REQUIRE(reply.status.ok());
  for (const auto& capability : reply.response.capabilities())
    types.insert(capability.rpc().type());
  return types;
}

api::CreateVolumeRequest plain_request() {
  api::CreateVolumeRequest request;
  request.set_name("pvc-1");
  *request.add_volume_capabilities() = mount_capability();
  return request;
}

}  // namespace

TEST_CASE(
    "the driver has its name, a version, a controller, topology and online expansion "
    "[C-ID-1]",
    "[rpc][csi]") {
  ControllerRig rig;
  const auto info = send(*rig.identity, &api::Identity::Stub::GetPluginInfo).response;
  CHECK(info.name() == "topolvm.io");
  CHECK(info.vendor_version() == "1.2.3");
  const auto plugin = send(*rig.identity, &api::Identity::Stub::GetPluginCapabilities).response;
  REQUIRE(plugin.capabilities_size() == 3);
  CHECK(plugin.capabilities(0).service().type() ==
        api::PluginCapability::Service::CONTROLLER_SERVICE);
  CHECK(plugin.capabilities(1).service().type() ==
        api::PluginCapability::Service::VOLUME_ACCESSIBILITY_CONSTRAINTS);
  CHECK(plugin.capabilities(2).volume_expansion().type() ==
        api::PluginCapability::VolumeExpansion::ONLINE);
}

TEST_CASE("while the objects are not known, the driver is not ready [C-ID-2, C-CALL-4]",
          "[rpc][csi]") {
  ControllerRig rig;
  const auto is_ready = [&rig] {
    const auto probe = send(*rig.identity, &api::Identity::Stub::Probe);
    REQUIRE(probe.status.ok());
    return probe.response.ready().value();
  };
  CHECK(is_ready());
  rig.objects.ready = false;
  CHECK_FALSE(is_ready());
  CHECK(send(*rig.controller, &Stub::CreateVolume, plain_request()).code() == Code::kUnavailable);
  CHECK(send(*rig.controller, &Stub::ListVolumes).code() == Code::kUnavailable);
  CHECK_FALSE(capabilities_of(rig).empty());
  CHECK(rig.objects.requests.empty());
}

TEST_CASE("the capabilities are the calls that are served [C-CALL-1, C-CALL-2]", "[rpc][csi]") {
  ControllerRig rig;
  const std::set<int> expected{Rpc::CREATE_DELETE_VOLUME, Rpc::LIST_VOLUMES,
                               Rpc::GET_CAPACITY,         Rpc::CREATE_DELETE_SNAPSHOT,
                               Rpc::LIST_SNAPSHOTS,       Rpc::CLONE_VOLUME,
                               Rpc::EXPAND_VOLUME,        Rpc::VOLUME_CONDITION,
                               Rpc::GET_VOLUME,           Rpc::SINGLE_NODE_MULTI_WRITER,
                               Rpc::GET_SNAPSHOT,         Rpc::GET_VOLUME_HEALTH,
                               Rpc::LIST_VOLUME_HEALTH};
  CHECK(capabilities_of(rig) == expected);
  CHECK(send(*rig.controller, &Stub::ControllerModifyVolume).code() == Code::kUnimplemented);
}

TEST_CASE("a call that waits ends shortly before its client's deadline [C-CALL-3, C-WAIT-2]",
          "[rpc][csi]") {
  ControllerRig rig;
  rig.objects.reconciler = FakeObjects::wait;
  const auto reply =
      send(*rig.controller, &Stub::CreateVolume, plain_request(), std::chrono::milliseconds{1500});
  CHECK(reply.code() == Code::kDeadlineExceeded);
  CHECK(reply.status.error_message() ==
        "LogicalVolume pvc-1 is not finished: the reconciler of node n1 has reported nothing");
  CHECK(rig.objects.find("pvc-1"));
  rig.objects.change("pvc-1", [](auto& object) { FakeObjects::obey(object); });
  CHECK(send(*rig.controller, &Stub::CreateVolume, plain_request()).status.ok());
}

TEST_CASE("two calls at once for one volume get the same volume [C-CREATE-1]", "[rpc][csi]") {
  ControllerRig rig;
  rig.objects.reconciler = FakeObjects::wait;
  const auto call = [&rig] { return send(*rig.controller, &Stub::CreateVolume, plain_request()); };
  auto first = begin(call);
  auto second = begin(call);
  REQUIRE(eventually([&] { return rig.objects.find("pvc-1").has_value(); }));
  rig.objects.change("pvc-1", [](auto& object) { FakeObjects::obey(object); });
  const auto one = first.get();
  const auto other = second.get();
  REQUIRE(one.status.ok());
  REQUIRE(other.status.ok());
  CHECK(one.response.volume().volume_id() == other.response.volume().volume_id());
}

TEST_CASE("a stop ends a waiting call at once [C-WAIT-5]", "[rpc][csi]") {
  ControllerRig rig;
  rig.objects.reconciler = FakeObjects::wait;
  auto waiting =
      begin([&rig] { return send(*rig.controller, &Stub::CreateVolume, plain_request()); });
  REQUIRE(eventually([&] { return rig.objects.find("pvc-1").has_value(); }));
  rig.objects.stop();
  CHECK(waiting.get().code() == Code::kUnavailable);
}

TEST_CASE("without --attach-required nothing can be attached [C-ATTACH-1]", "[rpc][csi]") {
  ControllerRig rig;
  CHECK(send(*rig.controller, &Stub::ControllerPublishVolume).code() == Code::kUnimplemented);
  CHECK(send(*rig.controller, &Stub::ControllerUnpublishVolume).code() == Code::kUnimplemented);
}

TEST_CASE("a volume is attached to its own node only [C-ATTACH-2]", "[rpc][csi]") {
  ControllerRig rig{true};
  rig.objects.add(sample_volume());
  rig.objects.known_nodes = {{.name = "n1"}, {.name = "n2"}};
  api::ControllerPublishVolumeRequest request;
  const auto code_of = [&] {
    return send(*rig.controller, &Stub::ControllerPublishVolume, request).code();
  };
  request.set_volume_id("uid-of-pvc-1");
  *request.mutable_volume_capability() = mount_capability();
  CHECK(code_of() == Code::kInvalidArgument);
  request.set_node_id("n1");
  CHECK(code_of() == Code::kOk);
  CHECK(code_of() == Code::kOk);
  request.set_node_id("n2");
  CHECK(code_of() == Code::kFailedPrecondition);
  request.set_node_id("n3");
  CHECK(code_of() == Code::kNotFound);
  request.set_node_id("n1");
  *request.mutable_volume_capability() = mount_capability("ntfs");
  CHECK(code_of() == Code::kInvalidArgument);
  *request.mutable_volume_capability() = block_capability();
  request.set_volume_id("unknown");
  CHECK(code_of() == Code::kNotFound);
  api::ControllerUnpublishVolumeRequest detach;
  CHECK(send(*rig.controller, &Stub::ControllerUnpublishVolume, detach).code() ==
        Code::kInvalidArgument);
  detach.set_volume_id("unknown");
  CHECK(send(*rig.controller, &Stub::ControllerUnpublishVolume, detach).status.ok());
}

TEST_CASE("with --attach-required a volume is published to its node [C-ATTACH-1, C-ATTACH-3]",
          "[rpc][csi]") {
  ControllerRig rig{true};
  const auto types = capabilities_of(rig);
  CHECK(types.contains(Rpc::PUBLISH_UNPUBLISH_VOLUME));
  CHECK(types.contains(Rpc::LIST_VOLUMES_PUBLISHED_NODES));
  rig.objects.add(sample_volume());
  const auto list = send(*rig.controller, &Stub::ListVolumes).response;
  REQUIRE(list.entries_size() == 1);
  CHECK(list.entries(0).status().published_node_ids(0) == "n1");
}
