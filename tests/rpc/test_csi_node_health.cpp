// csi.v1.Node: the condition and the health of volumes, and the health of the storage.
#include <catch2/catch.hpp>
#include <chrono>
#include <optional>
#include <string>

#include "csi.grpc.pb.h"
#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/convert.hpp"
#include "tests/fakes/layout.hpp"
#include "tests/rpc/csi_node_stage.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::rpc;

namespace {

using Stub = NodeUnderTest::Stub;

// The kernel has recorded an error of the file system.
void answer_with_an_error(NodeUnderTest& under_test) {
  internal::MountReply reply;
  auto& error = *reply.mutable_usage()->add_errors();
  error.set_kind("sick");
  error.set_count(1);
  under_test.node->mounters().answer_with(reply);
}

}  // namespace

TEST_CASE("the statistics have the condition of the volume [P-CSI-27]", "[rpc]") {
  NodeUnderTest under_test;
  answer_with_an_error(under_test);
  csi::v1::NodeGetVolumeStatsResponse stats;
  REQUIRE(under_test.call(&Stub::NodeGetVolumeStats, stats_request(), &stats).ok());
  CHECK(stats.volume_condition().abnormal());
  CHECK(stats.volume_condition().message() ==
        "the kernel has recorded errors of the file system: sick is 1");
}

TEST_CASE("the health of a volume has the errors of its file system [P-CSI-28]", "[rpc]") {
  NodeUnderTest under_test;
  answer_with_an_error(under_test);
  csi::v1::NodeGetVolumeHealthRequest request;
  request.set_volume_id(kVolume);
  SECTION("published") { request.set_volume_publish_path(kTarget); }
  SECTION("staged") { request.set_staging_target_path(kStaging); }
  csi::v1::NodeGetVolumeHealthResponse response;
  REQUIRE(under_test.call(&Stub::NodeGetVolumeHealth, request, &response).ok());
  CHECK(response.volume_health().volume_id() == kVolume);
  REQUIRE(response.volume_health().health_statuses_size() == 1);
  CHECK(response.volume_health().health_statuses(0).reason() == "FileSystemErrors");
  CHECK(under_test.job().has_usage());
}

TEST_CASE("the health of a volume that is mounted nowhere is that of its device [P-CSI-28]",
          "[rpc]") {
  NodeUnderTest under_test;
  internal::MountReply reply;
  *reply.mutable_error() = ipc::to_proto(
      make_error(Code::kFailedPrecondition, "not mounted").because(reason::kNotMounted));
  under_test.node->mounters().answer_with(reply);
  csi::v1::NodeGetVolumeHealthRequest request;
  request.set_volume_id(kVolume);
  std::size_t jobs = 0;
  SECTION("without a path") {}
  SECTION("at the staging path of a raw block volume") {
    request.set_staging_target_path(kBlockStaging);
  }
  SECTION("at a path without a mount") {
    request.set_volume_publish_path(kTarget);
    jobs = 1;
  }
  csi::v1::NodeGetVolumeHealthResponse response;
  REQUIRE(under_test.call(&Stub::NodeGetVolumeHealth, request, &response).ok());
  CHECK(response.volume_health().volume_id() == kVolume);
  CHECK(response.volume_health().health_statuses().empty());
  CHECK(under_test.node->mounters().jobs().size() == jobs);
}

TEST_CASE("the health of a volume needs its handle, and paths of kubelet [P-CSI-20, P-CSI-28]",
          "[rpc]") {
  NodeUnderTest under_test;
  csi::v1::NodeGetVolumeHealthRequest request;
  std::string field;
  SECTION("no handle") { field = "volume_id"; }
  SECTION("a wrong path in the pod") {
    request.set_volume_id(kVolume);
    request.set_volume_publish_path("/etc");
    field = "volume_publish_path";
  }
  SECTION("a wrong path of staging") {
    request.set_volume_id(kVolume);
    request.set_staging_target_path("/etc");
    field = "staging_target_path";
  }
  const auto status = under_test.call(&Stub::NodeGetVolumeHealth, request);
  CHECK(status.error_code() == grpc::StatusCode::INVALID_ARGUMENT);
  CHECK(status.error_message().starts_with(field));
  request = {};
  request.set_volume_id("unknown");
  CHECK(under_test.call(&Stub::NodeGetVolumeHealth, request).error_code() ==
        grpc::StatusCode::UNAVAILABLE);  // the fake node has groups that cannot be read
}

TEST_CASE("the health of the storage lists groups with problems by kind [P-CSI-29]", "[rpc]") {
  NodeUnderTest under_test;
  auto catalog = fakes::contract_catalog();
  std::erase_if(catalog.device_classes,
                [](const auto& item) { return item.volume_group != "vg_thick"; });
  REQUIRE(under_test.node->reconfigure(catalog));
  const auto entries = [&] {
    csi::v1::NodeGetStorageHealthResponse response;
    REQUIRE(
        under_test
            .call(&Stub::NodeGetStorageHealth, csi::v1::NodeGetStorageHealthRequest{}, &response)
            .ok());
    return response.backend_health();
  };
  CHECK(eventually([&] { return entries().empty(); }));
  REQUIRE(under_test.node->set_trouble("vg_thick",
                                       make_error(Code::kUnavailable, "the group is exported")));
  CHECK(eventually([&] { return entries().size() == 1; }));
  const auto unreachable = entries();
  REQUIRE(unreachable.size() == 1);
  CHECK(unreachable[0].status() == csi::v1::STORAGE_UNREACHABLE);
  CHECK(unreachable[0].reason() == "VolumeGroupUnavailable");
  CHECK(unreachable[0].message().contains("the group is exported"));
  REQUIRE(under_test.node->set_trouble("vg_thick", std::nullopt));
  CHECK(eventually([&] { return entries().empty(); }));
  REQUIRE(under_test.node->announce_observer_step(
      "vg_thick", "read /dev/sdx", std::chrono::seconds{7}, std::chrono::seconds{8}));
  CHECK(eventually([&] {
    const auto found = entries();
    return found.size() == 1 && found[0].reason() == "VolumeGroupNotServing";
  }));
  const auto degraded = entries();
  REQUIRE(degraded.size() == 1);
  CHECK(degraded[0].status() == csi::v1::STORAGE_DEGRADED);
  CHECK(degraded[0].message().contains("read /dev/sdx"));
}
