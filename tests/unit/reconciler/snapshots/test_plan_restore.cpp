// plan() for a volume that is restored, once it is there. Each case names the branch of
// performSnapshotRestore() that it is.
#include <catch2/catch.hpp>
#include <optional>

#include "reconciler/app/plan.hpp"
#include "tests/unit/reconciler/snapshots/online_objects.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

TEST_CASE("restore: the PersistentVolume is awaited [R-ONLINE-3]", "[reconciler][online]") {
  LogicalVolume volume = restored(SnapshotPhase::kPending);
  Observed observed{.snapshot = {.online = enabled()}};
  SECTION("spec.name is empty") {
    volume.spec.name.clear();
    observed.snapshot.persistent_volume = LookedUp<PersistentVolume>{};
    CHECK(step_of<TransferUnmet>(plan(volume, observed)).error.code == Code::kFailedPrecondition);
  }
  SECTION("it is looked for") {
    CHECK(plan(volume, observed) == Step{FindPersistentVolume{"pvc-2"}});
  }
  SECTION("not found") {
    observed.snapshot.persistent_volume = LookedUp<PersistentVolume>{};
    CHECK(step_of<TransferUnmet>(plan(volume, observed)).error.code == Code::kUnavailable);
  }
  SECTION("exists") {
    observed.snapshot.persistent_volume = LookedUp<PersistentVolume>{PersistentVolume{}};
    CHECK(plan(volume, observed) == Step{FindBackupLocation{kStorage}});
    observed.snapshot.location_base = kBase;
    CHECK(plan(volume, observed) == Step{StartRestore{}});
  }
}

TEST_CASE("restore: from the repository of the source's backup, once that is stored [R-ONLINE-3]",
          "[reconciler][online]") {
  LogicalVolume volume = restored(SnapshotPhase::kPending);
  volume.status.snapshot->repository.clear();
  volume.status.snapshot->storage = {};
  Observed observed{
      .snapshot = {.online = enabled(),
                   .persistent_volume = LookedUp<PersistentVolume>{PersistentVolume{}}}};
  CHECK(plan(volume, observed) == Step{FindSource{}});
  SECTION("its backup is on its way") {
    observed.volume.source =
        snapshot_source(transfer_status(Operation::kBackup, SnapshotPhase::kRunning));
    const Error error = step_of<TransferUnmet>(plan(volume, observed)).error;
    CHECK(error.code == Code::kUnavailable);
    CHECK(error.reason == "SOURCE_NOT_STORED");
  }
  SECTION("it has none yet") {
    observed.volume.source = snapshot_source(std::nullopt);
    CHECK(step_of<TransferUnmet>(plan(volume, observed)).error.code == Code::kUnavailable);
  }
  SECTION("it is there") {
    SnapshotStatus backup = transfer_status(Operation::kBackup, SnapshotPhase::kSucceeded);
    backup.snapshot_id = "4bba301e";
    observed.volume.source = snapshot_source(backup);
    const SnapshotStatus named = snapshot_in(volume, observed);
    CHECK(named.repository == kRepository);
    CHECK(named.storage == kStorage);
    CHECK(named.snapshot_id == "4bba301e");
    CHECK(named.backup_id == "uid-s");
  }
  SECTION("it is gone") {
    observed.volume.source = Source{};
    CHECK(step_of<TransferUnmet>(plan(volume, observed)).error.code == Code::kNotFound);
  }
}

TEST_CASE("restore: complete, running, succeeded, failed [R-ONLINE-6]", "[reconciler][online]") {
  const Observed observed{.snapshot = {.online = enabled()}};
  SECTION("is operation complete? Succeeded: nothing") {
    CHECK(plan(restored(SnapshotPhase::kSucceeded), observed) == Step{Nothing{}});
  }
  SECTION("is operation running?") {
    CHECK(plan(restored(SnapshotPhase::kRunning), observed) ==
          Step{FollowTransfer{Operation::kRestore}});
  }
  SECTION("execute: success") {
    const VolumeStatus status =
        written(restored(SnapshotPhase::kRunning),
                {.snapshot = {.online = enabled(), .transfer = ended(TransferPhase::kSucceeded)}});
    CHECK(status.snapshot->phase == SnapshotPhase::kSucceeded);
    CHECK(condition_in(status, "RestoreReady").status == "True");
  }
  SECTION("execute: failed") {
    const VolumeStatus status =
        written(restored(SnapshotPhase::kRunning),
                {.snapshot = {.online = enabled(), .transfer = failed(false)}});
    CHECK(status.snapshot->phase == SnapshotPhase::kFailed);
    CHECK(condition_in(status, "RestoreReady").status == "False");
    CHECK(condition_in(status, "Ready").status == "True");
  }
  SECTION("a restored volume grows as any other") {
    LogicalVolume volume = restored(SnapshotPhase::kSucceeded);
    volume.spec.size = "2Gi";
    CHECK(plan(volume, observed) == Step{Resize{Bytes{2 * kWanted.value}}});
  }
}

TEST_CASE("a restore without a status is not started on a volume that may be in use [R-ONLINE-2]",
          "[reconciler][online]") {
  LogicalVolume volume = restored(SnapshotPhase::kSucceeded);
  volume.status.snapshot.reset();
  CHECK(step_of<TransferUnmet>(plan(volume, {.snapshot = {.online = enabled()}})).error.reason ==
        "RESTORE_UNKNOWN");
}
