// Snapshots of csi-controller, as the sidecars see it.
#include <catch2/catch.hpp>
#include <string>

#include "tests/rpc/controller_rig.hpp"

using namespace lvmd;
using namespace lvmd::rpc;
using namespace lvmd::controller::test;
namespace api = lvmd::controller::api;
using reconciler::LogicalVolume;
using Stub = api::Controller::Stub;

namespace {

api::CreateSnapshotRequest snapshot_request(const std::string& name = "snapshot-1") {
  api::CreateSnapshotRequest request;
  request.set_name(name);
  request.set_source_volume_id("uid-of-pvc-1");
  return request;
}

std::string handles_of(const api::ListSnapshotsResponse& list) {
  std::string handles;
  for (const auto& entry : list.entries()) handles += entry.snapshot().snapshot_id() + " ";
  return handles;
}

}  // namespace

TEST_CASE("a snapshot is created once, found and deleted by its handle [C-SNAP-1, C-SNAP-2]",
          "[rpc][csi]") {
  ControllerRig rig;
  rig.objects.add(sample_volume());
  const auto created = send(*rig.controller, &Stub::CreateSnapshot, snapshot_request());
  REQUIRE(created.status.ok());
  const api::Snapshot& snapshot = created.response.snapshot();
  CHECK(snapshot.source_volume_id() == "uid-of-pvc-1");
  CHECK(snapshot.size_bytes() == kGi);
  CHECK(snapshot.ready_to_use());
  CHECK(snapshot.creation_time().seconds() == 1769860800);
  const auto again = send(*rig.controller, &Stub::CreateSnapshot, snapshot_request());
  CHECK(again.response.snapshot().snapshot_id() == snapshot.snapshot_id());

  api::GetSnapshotRequest get;
  get.set_snapshot_id(snapshot.snapshot_id());
  CHECK(send(*rig.controller, &Stub::GetSnapshot, get).response.snapshot().source_volume_id() ==
        "uid-of-pvc-1");

  api::DeleteSnapshotRequest remove;
  CHECK(send(*rig.controller, &Stub::DeleteSnapshot, remove).code() == Code::kInvalidArgument);
  remove.set_snapshot_id("uid-of-pvc-1");
  CHECK(send(*rig.controller, &Stub::DeleteSnapshot, remove).status.ok());
  CHECK(rig.objects.find("pvc-1"));
  remove.set_snapshot_id(snapshot.snapshot_id());
  CHECK(send(*rig.controller, &Stub::DeleteSnapshot, remove).status.ok());
  CHECK_FALSE(rig.objects.find("snapshot-1"));
  CHECK(send(*rig.controller, &Stub::DeleteSnapshot, remove).status.ok());
  CHECK(send(*rig.controller, &Stub::GetSnapshot, get).code() == Code::kNotFound);
}

TEST_CASE("a snapshot needs a name and an existing volume [C-OBJ-2, C-OBJ-3, C-OBJ-6]",
          "[rpc][csi]") {
  ControllerRig rig;
  rig.objects.add(sample_volume());
  rig.objects.add(sample_snapshot("older"));
  const auto code_of = [&rig](const api::CreateSnapshotRequest& request) {
    return send(*rig.controller, &Stub::CreateSnapshot, request).code();
  };
  CHECK(code_of(snapshot_request("")) == Code::kInvalidArgument);
  auto request = snapshot_request();
  request.clear_source_volume_id();
  CHECK(code_of(request) == Code::kInvalidArgument);
  request.set_source_volume_id("unknown");
  CHECK(code_of(request) == Code::kNotFound);
  request.set_source_volume_id("uid-of-older");
  CHECK(code_of(request) == Code::kNotFound);
}

TEST_CASE("an online snapshot is ready only when it is stored [C-SNAP-3, C-SNAP-4]", "[rpc][csi]") {
  ControllerRig rig;
  rig.objects.add(sample_volume());
  auto request = snapshot_request();
  (*request.mutable_parameters())["topolvm.io/snapshotMode"] = "online";
  const auto first = send(*rig.controller, &Stub::CreateSnapshot, request);
  REQUIRE(first.status.ok());
  CHECK_FALSE(first.response.snapshot().ready_to_use());
  const auto list = send(*rig.controller, &Stub::ListSnapshots);
  REQUIRE(list.response.entries_size() == 1);
  CHECK_FALSE(list.response.entries(0).snapshot().ready_to_use());
  auto backup = *stored_snapshot().status.snapshot;
  backup.phase = reconciler::SnapshotPhase::kFailed;
  backup.error = {.message = "wrong password"};
  rig.objects.change("snapshot-1", [&](LogicalVolume& object) { object.status.snapshot = backup; });
  const auto failed = send(*rig.controller, &Stub::CreateSnapshot, request);
  CHECK(failed.code() == Code::kInternal);
  CHECK(failed.status.error_message().find("wrong password") != std::string::npos);
  rig.objects.change("snapshot-1", [](LogicalVolume& object) {
    object.status.snapshot = stored_snapshot().status.snapshot;
  });
  CHECK(send(*rig.controller, &Stub::CreateSnapshot, request).response.snapshot().ready_to_use());
}

TEST_CASE("snapshots are listed by handle, by source and page by page [C-SNAP-5]", "[rpc][csi]") {
  ControllerRig rig;
  rig.objects.add(sample_volume("pvc-1"));
  rig.objects.add(sample_snapshot("s1", "pvc-1"));
  rig.objects.add(sample_snapshot("s2", "pvc-1"));
  rig.objects.add(sample_snapshot("s3", "pvc-2"));
  const auto list = [&rig](const api::ListSnapshotsRequest& request) {
    return send(*rig.controller, &Stub::ListSnapshots, request).response;
  };
  api::ListSnapshotsRequest request;
  CHECK(handles_of(list(request)) == "uid-of-s1 uid-of-s2 uid-of-s3 ");
  request.set_source_volume_id("uid-of-pvc-1");
  CHECK(handles_of(list(request)) == "uid-of-s1 uid-of-s2 ");
  request.set_max_entries(1);
  const auto first = list(request);
  CHECK(handles_of(first) == "uid-of-s1 ");
  request.set_starting_token(first.next_token());
  CHECK(handles_of(list(request)) == "uid-of-s2 ");
  request = {};
  request.set_snapshot_id("uid-of-s3");
  CHECK(handles_of(list(request)) == "uid-of-s3 ");
  request.set_snapshot_id("uid-of-pvc-1");
  CHECK(handles_of(list(request)).empty());
}
