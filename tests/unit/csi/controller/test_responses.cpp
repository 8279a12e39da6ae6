#include <catch2/catch.hpp>

#include "csi/controller/responses.hpp"
#include "tests/unit/csi/controller/sample_objects.hpp"

using namespace lvmd;
using namespace lvmd::controller;
using namespace lvmd::controller::test;
using reconciler::LogicalVolume;
using reconciler::SnapshotPhase;

TEST_CASE("a volume has its handle, its real size and its node [C-VOL-1]", "[csi][controller]") {
  LogicalVolume object = sample_volume();
  object.status.current_size = reconciler::Bytes{kGi + 4096};
  const api::Volume volume = to_volume(object, {});
  CHECK(volume.volume_id() == "uid-of-pvc-1");
  CHECK(volume.capacity_bytes() == kGi + 4096);
  REQUIRE(volume.accessible_topology_size() == 1);
  CHECK(volume.accessible_topology(0).segments().at("topology.topolvm.io/node") == "n1");
  object.status.current_size.reset();
  CHECK(to_volume(object, {}).capacity_bytes() == kGi);
}

TEST_CASE("the condition of a volume follows from the condition Ready [C-VOL-3]",
          "[csi][controller]") {
  LogicalVolume object = sample_volume();
  CHECK_FALSE(condition_of(object).abnormal());
  object.status.conditions = {
      reconciler::make_condition("Ready", "False", "VolumeNotFound", "the volume is missing")};
  CHECK(condition_of(object).abnormal());
  CHECK(condition_of(object).message() == "the volume is missing");
}

TEST_CASE("a volume that cannot be removed is degraded, a lost one is inaccessible [C-VOL-4]",
          "[csi][controller]") {
  LogicalVolume object = sample_volume();
  CHECK(health_of(object).health_statuses().empty());
  object.status.conditions = {
      reconciler::make_condition("Ready", "False", "NotFound", "the volume is missing")};
  REQUIRE(health_of(object).health_statuses_size() == 1);
  CHECK(health_of(object).health_statuses(0).status() == api::INACCESSIBLE);
  object.removal_wanted = true;
  CHECK(health_of(object).health_statuses(0).status() == api::DEGRADED);
}

TEST_CASE("a snapshot has its handle, size, source and the time of its object [C-SNAP-2]",
          "[csi][controller]") {
  const api::Snapshot snapshot = to_snapshot(sample_snapshot(), "source-handle");
  CHECK(snapshot.snapshot_id() == "uid-of-snapshot-1");
  CHECK(snapshot.source_volume_id() == "source-handle");
  CHECK(snapshot.size_bytes() == kGi);
  CHECK(snapshot.creation_time().seconds() == 1769860800);
  CHECK(snapshot.ready_to_use());
}

TEST_CASE("the source of a snapshot is known after its object is gone [C-SNAP-2]",
          "[csi][controller]") {
  LogicalVolume snapshot = sample_snapshot();
  const LogicalVolume source = sample_volume();
  CHECK(source_volume(snapshot, nullptr) == "pvc-1");
  CHECK(source_volume(snapshot, &source) == "uid-of-pvc-1");
  snapshot.annotations["lvmd.io/source-volume"] = "recorded";
  CHECK(source_volume(snapshot, nullptr) == "recorded");
}

TEST_CASE("an online snapshot is ready once it is stored [C-SNAP-3]", "[csi][controller]") {
  LogicalVolume snapshot = sample_snapshot();
  CHECK(is_ready(snapshot));
  // The reconciler has not begun the backup.
  snapshot.annotations["lvmd.io/snapshot-mode"] = "online";
  CHECK_FALSE(is_ready(snapshot));
  snapshot = stored_snapshot();
  CHECK(is_ready(snapshot));
  for (const auto phase :
       {SnapshotPhase::kPending, SnapshotPhase::kRunning, SnapshotPhase::kFailed}) {
    snapshot.status.snapshot->phase = phase;
    CHECK_FALSE(is_ready(snapshot));
  }
  snapshot = stored_snapshot();
  snapshot.status.snapshot->operation = reconciler::Operation::kDelete;
  CHECK_FALSE(is_ready(snapshot));
  snapshot = sample_snapshot();
  snapshot.status.volume_id.clear();
  CHECK_FALSE(is_ready(snapshot));
}

TEST_CASE("a backup that failed for good is an error, with the remedy [C-SNAP-4]",
          "[csi][controller]") {
  LogicalVolume snapshot = stored_snapshot();
  CHECK(backup_of(snapshot));
  snapshot.status.snapshot->phase = SnapshotPhase::kFailed;
  snapshot.status.snapshot->error = {.message = "wrong password"};
  const Status failed = backup_of(snapshot);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message.contains("wrong password"));
  CHECK(failed.error().message.contains("lvmd.io/retry-requested-at"));
  snapshot.status.snapshot->error->transient = true;
  CHECK(backup_of(snapshot));
}
