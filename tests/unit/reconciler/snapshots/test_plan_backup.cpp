// plan() for the backup of an online snapshot, to the end of its volume. Each case names the branch
// of performSnapshotBackup() that it is.
#include <catch2/catch.hpp>
#include <string>

#include "reconciler/app/plan.hpp"
#include "reconciler/snapshots/snapshot_status.hpp"
#include "tests/unit/reconciler/snapshots/online_objects.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

TEST_CASE("backup: an online snapshot becomes Pending once its volume exists [R-ONLINE-5]",
          "[reconciler][online]") {
  const LogicalVolume snapshot = snapshot_object();
  CHECK(plan(snapshot, {.snapshot = {.online = enabled()}}) ==
        Step{FindSnapshotClass{.of_source = false}});
  SECTION("should perform backup: yes") {
    const VolumeStatus status =
        written(snapshot,
                {.snapshot = {.online = enabled(), .own_class = LookedUp<SnapshotClass>{kOnline}}});
    REQUIRE(status.snapshot.has_value());
    CHECK(status.snapshot->operation == Operation::kBackup);
    CHECK(status.snapshot->phase == SnapshotPhase::kPending);
    CHECK(status.snapshot->storage == kStorage);
    CHECK(status.snapshot->backup_id == "uid-s");
    CHECK(status.volume_id == "uid-s");
  }
  SECTION("no") {
    CHECK(plan(snapshot,
               {.snapshot = {.online = enabled(), .own_class = LookedUp<SnapshotClass>{}}}) ==
          Step{Nothing{}});
  }
  SECTION("the volume is grown first, as ever") {
    LogicalVolume small = snapshot;
    small.status.current_size = Bytes{4096};
    CHECK(plan(small, {.snapshot = {.online = enabled()}}) == Step{Resize{kWanted}});
  }
  SECTION("a volume without a source has no class") {
    LogicalVolume plain = snapshot;
    plain.spec.source.clear();
    CHECK(plan(plain, {.snapshot = {.online = enabled()}}) == Step{Nothing{}});
  }
}

TEST_CASE(
    "backup: the repository is the claim's, and is stored in the object before the start "
    "[R-ONLINE-9]",
    "[reconciler][online]") {
  LogicalVolume snapshot = backed_up(SnapshotPhase::kPending);
  snapshot.status.snapshot->repository.clear();
  Observed observed{.snapshot = {.online = enabled()}};
  CHECK(plan(snapshot, observed) == Step{FindBackupLocation{kStorage}});
  observed.snapshot.location_base = kBase + "/";
  CHECK(plan(snapshot, observed) == Step{FindSource{}});
  observed.volume.source = origin_source();
  CHECK(plan(snapshot, observed) == Step{FindPersistentVolume{"pvc-1"}});
  observed.snapshot.persistent_volume = LookedUp<PersistentVolume>{};
  CHECK(step_of<TransferUnmet>(plan(snapshot, observed)).error.reason == "NO_PERSISTENT_VOLUME");
  observed.snapshot.persistent_volume->found =
      PersistentVolume{.claim_namespace = "shop", .claim_name = "data"};
  const SnapshotStatus named = snapshot_in(snapshot, observed);
  CHECK(named.repository == kRepository);
  CHECK(named.phase == SnapshotPhase::kPending);
}

TEST_CASE("backup: Pending is started, and runs [R-ONLINE-5, R-ONLINE-6]", "[reconciler][online]") {
  const LogicalVolume snapshot = backed_up(SnapshotPhase::kPending);
  CHECK(plan(snapshot, {.snapshot = {.online = enabled()}}) == Step{FindBackupLocation{kStorage}});
  CHECK(plan(snapshot, {.snapshot = {.online = enabled(), .location_base = kBase}}) ==
        Step{StartBackup{}});
  const SnapshotStatus now =
      snapshot_in(snapshot, {.snapshot = {.online = enabled(), .transfer = running()}});
  CHECK(now.phase == SnapshotPhase::kRunning);
  CHECK(now.start_time == "1970-01-01T00:16:40Z");
  CHECK(now.message == "copying");
}

TEST_CASE("backup: one that succeeds at once is Running first [R-ONLINE-6]",
          "[reconciler][online]") {
  const LogicalVolume snapshot = backed_up(SnapshotPhase::kPending);
  const Observed observed{
      .snapshot = {.online = enabled(), .transfer = ended(TransferPhase::kSucceeded)}};
  LogicalVolume next = snapshot;
  next.status = written(snapshot, observed);
  CHECK(next.status.snapshot->phase == SnapshotPhase::kRunning);
  CHECK(snapshot_in(next, observed).phase == SnapshotPhase::kSucceeded);
}

TEST_CASE("credentials are sent only to repositories within their backup location [R-ONLINE-9]",
          "[reconciler][online]") {
  const auto repository =
      GENERATE(as<std::string>{}, "s3:https://evil/bucket/shop/data", "s3:https://minio/bucket2/x",
               "s3:https://minio/bucket/../other", "rest:https://evil/");
  INFO(repository);
  LogicalVolume snapshot = backed_up(SnapshotPhase::kPending);
  snapshot.status.snapshot->repository = repository;
  const Step step = plan(snapshot, {.snapshot = {.online = enabled(), .location_base = kBase}});
  CHECK(step_of<TransferUnmet>(step).error.reason == "FOREIGN_REPOSITORY");
}

TEST_CASE("is operation running? Then its state is read, and its end awaited [R-ONLINE-7]",
          "[reconciler][online]") {
  LogicalVolume snapshot = backed_up(SnapshotPhase::kRunning);
  CHECK(plan(snapshot, {.snapshot = {.online = enabled()}}) ==
        Step{FollowTransfer{Operation::kBackup}});
  snapshot.status = with_snapshot(snapshot, advance(*snapshot.status.snapshot, running(10)));
  SECTION("nothing new") {
    CHECK(
        plan(snapshot,
             {.snapshot = {.online = enabled(), .transfer = running(10), .progress_due = true}}) ==
        Step{AwaitTransfer{Operation::kBackup}});
  }
  SECTION("newer progress, told a moment ago") {
    CHECK(plan(snapshot, {.snapshot = {.online = enabled(), .transfer = running(20)}}) ==
          Step{AwaitTransfer{Operation::kBackup}});
  }
  SECTION("newer progress, told long ago") {
    const SnapshotStatus now = snapshot_in(
        snapshot,
        {.snapshot = {.online = enabled(), .transfer = running(20), .progress_due = true}});
    REQUIRE(now.progress.has_value());
    CHECK(now.progress->done_bytes == 20);
    CHECK(percentage_of(*now.progress) == 20);
  }
  SECTION("a volume that is copied is not grown meanwhile") {
    snapshot.spec.size = "2Gi";
    CHECK(plan(snapshot, {.snapshot = {.online = enabled()}}) ==
          Step{FollowTransfer{Operation::kBackup}});
  }
}

TEST_CASE("a running transfer that lvmd does not know is started again [R-ONLINE-10]",
          "[reconciler][online]") {
  const LogicalVolume snapshot = backed_up(SnapshotPhase::kRunning);
  Observed observed{.snapshot = {.online = enabled(), .transfer_unknown = true}};
  CHECK(plan(snapshot, observed) == Step{FindBackupLocation{kStorage}});
  observed.snapshot.location_base = kBase;
  CHECK(plan(snapshot, observed) == Step{StartBackup{}});
  observed.snapshot.transfer = running();
  observed.snapshot.transfer_unknown = false;
  CHECK(snapshot_in(snapshot, observed).phase == SnapshotPhase::kRunning);
}

TEST_CASE("backup: execute succeeded [R-ONLINE-5, R-ONLINE-7]", "[reconciler][online]") {
  LogicalVolume snapshot = backed_up(SnapshotPhase::kRunning);
  Transfer transfer = ended(TransferPhase::kSucceeded);
  transfer.snapshot_id = "4bba301e";
  const Observed observed{.snapshot = {.online = enabled(), .transfer = transfer}};
  snapshot.status = written(snapshot, observed);
  const SnapshotStatus& done = *snapshot.status.snapshot;
  CHECK(done.phase == SnapshotPhase::kSucceeded);
  CHECK(done.completion_time == "1970-01-01T00:17:41Z");
  CHECK(done.duration == "1m1s");
  CHECK(done.snapshot_id == "4bba301e");
  CHECK(condition_in(snapshot.status, "BackupReady").status == "True");

  SECTION("its volume is removed, which a condition tells") {
    CHECK(plan(snapshot, {.snapshot = {.online = enabled()}}) == Step{RemoveSnapshotVolume{}});
    snapshot.status = written(snapshot, {.snapshot = {.online = enabled(), .cleaned = true}});
    CHECK(condition_in(snapshot.status, "LVMSnapshotCleaned").status == "True");
    CHECK(snapshot.status.volume_id == "uid-s");
    CHECK(plan(snapshot, {.snapshot = {.online = enabled()}}) == Step{Nothing{}});
  }
  SECTION("it never grows") {
    snapshot.spec.size = "2Gi";
    CHECK(plan(snapshot, {.snapshot = {.online = enabled(), .cleaned = true}}) !=
          Step{Resize{Bytes{2 * kWanted.value}}});
    CHECK(plan(snapshot, {}) == Step{Nothing{}});
  }
}

TEST_CASE("a stored snapshot is recognised, and its volume is not missing [R-LEDG-2]",
          "[reconciler][online]") {
  CHECK(is_stored(backed_up(SnapshotPhase::kSucceeded)));
  CHECK_FALSE(is_stored(backed_up(SnapshotPhase::kRunning)));
  CHECK_FALSE(is_stored(backed_up(SnapshotPhase::kFailed)));
  CHECK_FALSE(is_stored(restored(SnapshotPhase::kSucceeded)));
  CHECK_FALSE(is_stored(snapshot_object()));
}

TEST_CASE(
    "a report about the volume keeps status.snapshot and the conditions of other writers "
    "[R-OBJ-25]",
    "[reconciler][online]") {
  LogicalVolume snapshot = backed_up(SnapshotPhase::kRunning);
  snapshot.status.conditions.push_back({.type = "Example", .status = "True"});
  VolumeStatus volume = snapshot.status;
  volume.snapshot.reset();
  volume.conditions = {{.type = "Ready", .status = "False"},
                       {.type = "Example", .status = "False"}};
  const VolumeStatus merged = merge(snapshot, volume);
  CHECK(merged.snapshot == snapshot.status.snapshot);
  CHECK(condition_in(merged, "Ready").status == "False");
  CHECK(condition_in(merged, "Example").status == "True");
  CHECK(condition_in(merged, "BackupReady") == condition_in(snapshot.status, "BackupReady"));
}
