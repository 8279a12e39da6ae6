// csi.v1.Node up to the mounter: refused calls, the mounter's jobs, and calls that compete.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "csi.grpc.pb.h"
#include "lvmd/base/reason.hpp"
#include "lvmd/ipc/convert.hpp"
#include "tests/contract/scratch.hpp"
#include "tests/rpc/csi_node_stage.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;
using csi::v1::VolumeCapability;

namespace {

using Stub = NodeUnderTest::Stub;

void make_block(VolumeCapability& capability) { capability.mutable_block(); }

csi::v1::NodeStageVolumeRequest stage_request() {
  csi::v1::NodeStageVolumeRequest request;
  request.set_volume_id(kVolume);
  request.set_staging_target_path(kStaging);
  VolumeCapability& capability = *request.mutable_volume_capability();
  capability.mutable_mount()->set_fs_type("xfs");
  capability.mutable_mount()->add_mount_flags("noatime");
  capability.mutable_access_mode()->set_mode(VolumeCapability::AccessMode::SINGLE_NODE_WRITER);
  return request;
}

csi::v1::NodePublishVolumeRequest publish_request() {
  const auto stage = stage_request();
  csi::v1::NodePublishVolumeRequest request;
  request.set_volume_id(kVolume);
  request.set_staging_target_path(kStaging);
  request.set_target_path(kTarget);
  *request.mutable_volume_capability() = stage.volume_capability();
  return request;
}

csi::v1::NodeExpandVolumeRequest expand_request(std::int64_t bytes) {
  csi::v1::NodeExpandVolumeRequest request;
  request.set_volume_id(kVolume);
  request.set_volume_path(kTarget);
  request.mutable_capacity_range()->set_required_bytes(bytes);
  return request;
}

struct Wrong {
  const char* what;
  void (*change)(csi::v1::NodeStageVolumeRequest&);
  const char* message;
};

constexpr auto kWrong = std::to_array<Wrong>({
    {"no handle", [](auto& r) { r.clear_volume_id(); }, "volume_id must be set"},
    {"no path", [](auto& r) { r.clear_staging_target_path(); }, "staging_target_path must be set"},
    {"no capability", [](auto& r) { r.clear_volume_capability(); },
     "volume_capability must be set"},
    {"no access type", [](auto& r) { r.mutable_volume_capability()->clear_mount(); },
     "volume_capability.access_type must be set"},
    {"no access mode", [](auto& r) { r.mutable_volume_capability()->clear_access_mode(); },
     "volume_capability.access_mode UNKNOWN is not supported"},
    {"several nodes",
     [](auto& r) {
       r.mutable_volume_capability()->mutable_access_mode()->set_mode(
           VolumeCapability::AccessMode::MULTI_NODE_MULTI_WRITER);
     },
     "MULTI_NODE_MULTI_WRITER is not supported: a volume is on one node"},
    {"another file system",
     [](auto& r) { r.mutable_volume_capability()->mutable_mount()->set_fs_type("vfat"); }, "vfat"},
    {"another mount flag",
     [](auto& r) { r.mutable_volume_capability()->mutable_mount()->add_mount_flags("suid"); },
     "suid"},
    {"a group of the mount",
     [](auto& r) { r.mutable_volume_capability()->mutable_mount()->set_volume_mount_group("7"); },
     "volume_mount_group is not supported"},
    {"a path of the host", [](auto& r) { r.set_staging_target_path("/etc"); },
     "must be a path of kubelet"},
    {"the path of a pod", [](auto& r) { r.set_staging_target_path(kTarget); },
     "for another kind of volume or another call"},
    {"the path of a raw block volume", [](auto& r) { r.set_staging_target_path(kBlockStaging); },
     "for another kind of volume or another call"},
});

}  // namespace

TEST_CASE("a wrong argument of a call is refused by its name, and no mounter starts [P-CSI-20]",
          "[rpc]") {
  NodeUnderTest under_test;
  for (const Wrong& wrong : kWrong) {
    CAPTURE(wrong.what);
    auto request = stage_request();
    wrong.change(request);
    const auto status = under_test.call(&Stub::NodeStageVolume, request);
    CHECK(status.error_code() == grpc::StatusCode::INVALID_ARGUMENT);
    CHECK(status.error_message().find(wrong.message) != std::string::npos);
  }
  CHECK(under_test.node->mounters().jobs().empty());
}

TEST_CASE("staging sends the mounter the device, the target and the flags [P-CSI-22]", "[rpc]") {
  NodeUnderTest under_test;
  REQUIRE(under_test.call(&Stub::NodeStageVolume, stage_request()).ok());
  const auto job = under_test.job();
  REQUIRE(job.has_stage());
  CHECK(job.stage().device().volume_group() == "vg_thick");
  CHECK(job.stage().device().name() == kVolume);
  CHECK(job.stage().device().major() != 0);
  CHECK(job.stage().target().kind() == internal::KubeletTarget::STAGING);
  CHECK(job.stage().target().volume() == std::string(64, 'a'));
  CHECK(job.stage().fs_type() == "xfs");
  REQUIRE(job.stage().mount_flags_size() == 1);
  CHECK(job.stage().mount_flags(0) == "noatime");
}

TEST_CASE("a raw block volume is staged and published at targets of its kind [P-CSI-22]", "[rpc]") {
  NodeUnderTest under_test;
  auto stage = stage_request();
  make_block(*stage.mutable_volume_capability());
  stage.set_staging_target_path(kBlockStaging);
  REQUIRE(under_test.call(&Stub::NodeStageVolume, stage).ok());
  auto publish = publish_request();
  make_block(*publish.mutable_volume_capability());
  publish.set_staging_target_path(kBlockStaging);
  publish.set_target_path(kBlockTarget);
  publish.set_readonly(true);
  REQUIRE(under_test.call(&Stub::NodePublishVolume, publish).ok());
  const auto jobs = under_test.node->mounters().jobs();
  REQUIRE(jobs.size() == 2);
  CHECK(jobs[0].stage().target().kind() == internal::KubeletTarget::BLOCK_STAGING);
  CHECK(jobs[1].publish().target().kind() == internal::KubeletTarget::POD_DEVICE);
  CHECK_FALSE(jobs[1].publish().has_staging());
  CHECK(jobs[1].publish().read_only());
}

TEST_CASE("publishing is read-only if the call or the access mode says so [P-CSI-22]", "[rpc]") {
  NodeUnderTest under_test;
  auto request = publish_request();
  SECTION("neither") {}
  SECTION("the call") { request.set_readonly(true); }
  SECTION("the access mode") {
    request.mutable_volume_capability()->mutable_access_mode()->set_mode(
        VolumeCapability::AccessMode::SINGLE_NODE_READER_ONLY);
  }
  const bool read_only =
      request.readonly() || request.volume_capability().access_mode().mode() ==
                                VolumeCapability::AccessMode::SINGLE_NODE_READER_ONLY;
  REQUIRE(under_test.call(&Stub::NodePublishVolume, request).ok());
  const auto job = under_test.job();
  CHECK(job.publish().read_only() == read_only);
  CHECK(job.publish().target().kind() == internal::KubeletTarget::POD_MOUNT);
  CHECK(job.publish().target().volume() == "pvc-1");
  CHECK(job.publish().target().pod() == "1234-5678");
  CHECK(job.publish().staging().kind() == internal::KubeletTarget::STAGING);
}

TEST_CASE("publishing for a single writer says so to the mounter [P-CSI-22]", "[rpc]") {
  NodeUnderTest under_test;
  auto request = publish_request();
  auto& mode = *request.mutable_volume_capability()->mutable_access_mode();
  mode.set_mode(GENERATE(VolumeCapability::AccessMode::SINGLE_NODE_SINGLE_WRITER,
                         VolumeCapability::AccessMode::SINGLE_NODE_MULTI_WRITER));
  REQUIRE(under_test.call(&Stub::NodePublishVolume, request).ok());
  CHECK(under_test.job().publish().single_writer() ==
        (mode.mode() == VolumeCapability::AccessMode::SINGLE_NODE_SINGLE_WRITER));
}

TEST_CASE("a volume that does not exist is not staged [P-CSI-10, P-CSI-22]", "[rpc]") {
  NodeUnderTest under_test;
  auto request = stage_request();
  request.set_volume_id("two");
  // Other groups of the fake node cannot be read: one of them may have the volume.
  CHECK(under_test.call(&Stub::NodeStageVolume, request).error_code() ==
        grpc::StatusCode::UNAVAILABLE);
  CHECK(under_test.node->mounters().jobs().empty());
}

TEST_CASE("unpublishing and unstaging need no volume [P-CSI-23]", "[rpc]") {
  NodeUnderTest under_test;
  csi::v1::NodeUnpublishVolumeRequest unpublish;
  unpublish.set_volume_id("gone");
  unpublish.set_target_path(kTarget);
  REQUIRE(under_test.call(&Stub::NodeUnpublishVolume, unpublish).ok());
  csi::v1::NodeUnstageVolumeRequest unstage;
  unstage.set_volume_id("gone");
  unstage.set_staging_target_path(kStaging);
  REQUIRE(under_test.call(&Stub::NodeUnstageVolume, unstage).ok());
  const auto jobs = under_test.node->mounters().jobs();
  REQUIRE(jobs.size() == 2);
  CHECK(jobs[0].unmount().kubelet_target().kind() == internal::KubeletTarget::POD_MOUNT);
  CHECK(jobs[1].unmount().kubelet_target().kind() == internal::KubeletTarget::STAGING);
  unstage.set_staging_target_path(kTarget);
  CHECK(under_test.call(&Stub::NodeUnstageVolume, unstage).error_code() ==
        grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_CASE("two calls at once for one volume: the second one is aborted [P-CSI-21]", "[rpc]") {
  NodeUnderTest under_test;
  under_test.node->mounters().hold();
  auto first = begin([&] { return under_test.call(&Stub::NodeStageVolume, stage_request()).ok(); });
  REQUIRE(under_test.node->mounters().wait_for_jobs(1, kLimit));
  const auto second = under_test.call(&Stub::NodePublishVolume, publish_request());
  CHECK(second.error_code() == grpc::StatusCode::ABORTED);
  CHECK(second.error_message().find("another call for volume one is in progress") !=
        std::string::npos);
  REQUIRE(under_test.node->mounters().release());
  CHECK(first.get());
  CHECK(under_test.call(&Stub::NodePublishVolume, publish_request()).ok());
}

TEST_CASE("a call whose caller has left holds its volume until its end [P-CSI-21]", "[rpc]") {
  NodeUnderTest under_test;
  under_test.node->mounters().hold();
  grpc::ClientContext context;
  auto left = begin([&] {
    csi::v1::NodeStageVolumeResponse response;
    return under_test.stub->NodeStageVolume(&context, stage_request(), &response).error_code();
  });
  REQUIRE(under_test.node->mounters().wait_for_jobs(1, kLimit));
  context.TryCancel();
  CHECK(left.get() == grpc::StatusCode::CANCELLED);
  CHECK(under_test.call(&Stub::NodeStageVolume, stage_request()).error_code() ==
        grpc::StatusCode::ABORTED);
  REQUIRE(under_test.node->mounters().release());
  CHECK(eventually([&] { return under_test.call(&Stub::NodeStageVolume, stage_request()).ok(); }));
}

TEST_CASE("an error of the mounter is the call's error, and releases the volume [P-CSI-21]",
          "[rpc]") {
  NodeUnderTest under_test;
  internal::MountReply reply;
  *reply.mutable_error() = ipc::to_proto(
      make_error(Code::kFailedPrecondition, "it is damaged").because(reason::kFileSystemDamaged));
  under_test.node->mounters().answer_with(reply);
  for (int i = 0; i < 2; ++i) {
    const auto status = under_test.call(&Stub::NodeStageVolume, stage_request());
    CHECK(status.error_code() == grpc::StatusCode::FAILED_PRECONDITION);
    CHECK(status.error_message() == "it is damaged");
  }
}

TEST_CASE("expansion grows the file system and returns the volume's size [P-CSI-24]", "[rpc]") {
  NodeUnderTest under_test;
  csi::v1::NodeExpandVolumeResponse response;
  REQUIRE(under_test.call(&Stub::NodeExpandVolume, expand_request(kExtent), &response).ok());
  CHECK(response.capacity_bytes() == kExtent);
  CHECK(under_test.job().grow().name() == kVolume);
  CHECK(under_test.call(&Stub::NodeExpandVolume, expand_request(kExtent + 1)).error_code() ==
        grpc::StatusCode::UNAVAILABLE);
}

TEST_CASE("a raw block volume has no file system to grow [P-CSI-24]", "[rpc]") {
  NodeUnderTest under_test;
  auto request = expand_request(0);
  SECTION("by its capability") { make_block(*request.mutable_volume_capability()); }
  SECTION("by its path") { request.set_volume_path(kBlockTarget); }
  SECTION("by the path of kubelet's own mount") {
    request.set_volume_path(kRoot + "/plugins/kubernetes.io/csi/volumeDevices/pvc-1/dev/1234-5678");
  }
  csi::v1::NodeExpandVolumeResponse response;
  REQUIRE(under_test.call(&Stub::NodeExpandVolume, request, &response).ok());
  CHECK(response.capacity_bytes() == kExtent);
  CHECK(under_test.node->mounters().jobs().empty());
}

TEST_CASE("the statistics have bytes, and inodes if there is a number of them [P-CSI-25]",
          "[rpc]") {
  NodeUnderTest under_test;
  internal::MountReply reply;
  reply.mutable_usage()->set_volume_bytes(1000);
  reply.mutable_usage()->mutable_bytes()->set_total(900);
  reply.mutable_usage()->mutable_bytes()->set_used(100);
  reply.mutable_usage()->mutable_bytes()->set_available(700);
  const bool has_inodes = GENERATE(false, true);
  CAPTURE(has_inodes);
  if (has_inodes) reply.mutable_usage()->mutable_inodes()->set_total(50);
  under_test.node->mounters().answer_with(reply);
  csi::v1::NodeGetVolumeStatsResponse stats;
  REQUIRE(under_test.call(&Stub::NodeGetVolumeStats, stats_request(), &stats).ok());
  REQUIRE(stats.usage_size() == (has_inodes ? 2 : 1));
  CHECK(stats.usage(0).unit() == csi::v1::VolumeUsage::BYTES);
  CHECK(stats.usage(0).total() == 900);
  CHECK(stats.usage(0).used() == 100);
  CHECK(stats.usage(0).available() == 700);
  if (has_inodes) CHECK(stats.usage(1).total() == 50);
  CHECK(under_test.job().usage().kubelet_target().pod() == "1234-5678");
}

TEST_CASE("the statistics of a raw block volume are its size [P-CSI-25]", "[rpc]") {
  NodeUnderTest under_test;
  internal::MountReply reply;
  reply.mutable_usage()->set_volume_bytes(1000);
  under_test.node->mounters().answer_with(reply);
  auto request = stats_request();
  request.set_volume_path(kRoot + "/plugins/kubernetes.io/csi/volumeDevices/pvc-1/dev/1234-5678");
  csi::v1::NodeGetVolumeStatsResponse stats;
  REQUIRE(under_test.call(&Stub::NodeGetVolumeStats, request, &stats).ok());
  REQUIRE(stats.usage_size() == 1);
  CHECK(stats.usage(0).total() == 1000);
  CHECK(under_test.job().usage().kubelet_target().kind() == internal::KubeletTarget::POD_DEVICE);
}

TEST_CASE("the statistics of a path without a mount are not found [P-CSI-25]", "[rpc]") {
  NodeUnderTest under_test;
  internal::MountReply reply;
  *reply.mutable_error() = ipc::to_proto(
      make_error(Code::kFailedPrecondition, "not mounted").because(reason::kNotMounted));
  under_test.node->mounters().answer_with(reply);
  CHECK(under_test.call(&Stub::NodeGetVolumeStats, stats_request()).error_code() ==
        grpc::StatusCode::NOT_FOUND);
}

TEST_CASE("the node's capabilities are those that are served [P-CSI-26]", "[rpc]") {
  NodeUnderTest under_test;
  csi::v1::NodeGetCapabilitiesResponse response;
  REQUIRE(
      under_test.call(&Stub::NodeGetCapabilities, csi::v1::NodeGetCapabilitiesRequest{}, &response)
          .ok());
  std::vector<int> types;
  for (const auto& capability : response.capabilities()) types.push_back(capability.rpc().type());
  using RPC = csi::v1::NodeServiceCapability::RPC;
  CHECK(types == std::vector<int>{RPC::STAGE_UNSTAGE_VOLUME, RPC::GET_VOLUME_STATS,
                                  RPC::EXPAND_VOLUME, RPC::VOLUME_CONDITION,
                                  RPC::SINGLE_NODE_MULTI_WRITER, RPC::GET_VOLUME_HEALTH,
                                  RPC::GET_STORAGE_HEALTH});
}
