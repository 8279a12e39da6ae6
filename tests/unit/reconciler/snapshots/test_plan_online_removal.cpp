// plan() for an object of an online snapshot, or of a volume restored from one, that is to go.
#include <catch2/catch.hpp>

#include "reconciler/app/plan.hpp"
#include "tests/unit/reconciler/snapshots/online_objects.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

TEST_CASE("finalization: no finalizer, or no transfer that was started [R-ONLINE-8]",
          "[reconciler][online]") {
  const Observed observed{.snapshot = {.online = enabled()}};
  LogicalVolume unheld = removed(backed_up(SnapshotPhase::kSucceeded));
  unheld.has_finalizer = false;
  CHECK(plan(unheld, observed) == Step{Nothing{}});
  CHECK(plan(removed(snapshot_object()), observed) == Step{Remove{}});
  LogicalVolume unnamed = removed(backed_up(SnapshotPhase::kPending));
  unnamed.status.snapshot->repository.clear();
  CHECK(plan(unnamed, observed) == Step{Remove{}});
}

TEST_CASE("finalization of a backup: cancel, delete, RemoveLV, remove the finalizer [R-ONLINE-8]",
          "[reconciler][online]") {
  const LogicalVolume snapshot = removed(backed_up(SnapshotPhase::kRunning));
  CHECK(plan(snapshot, {.snapshot = {.online = enabled()}}) ==
        Step{CancelTransfer{Operation::kBackup}});
  SECTION("it takes its time to end") {
    CHECK(plan(snapshot, {.snapshot = {.online = enabled(), .transfer = running()}}) ==
          Step{AwaitTransfer{Operation::kBackup}});
  }
  SECTION("it is over") {
    const Observed over = GENERATE(
        Observed{.snapshot = {.online = enabled(), .transfer = ended(TransferPhase::kCancelled)}},
        Observed{.snapshot = {.online = enabled(), .transfer_unknown = true}});
    const SnapshotStatus deletion = snapshot_in(snapshot, over);
    CHECK(deletion.operation == Operation::kDelete);
    CHECK(deletion.phase == SnapshotPhase::kPending);
    CHECK(deletion.repository == kRepository);
    CHECK(deletion.storage == kStorage);
    CHECK(deletion.backup_id == "uid-s");
  }
  SECTION("there is nothing to cancel") {
    for (const SnapshotPhase phase : {SnapshotPhase::kSucceeded, SnapshotPhase::kFailed})
      CHECK(snapshot_in(removed(backed_up(phase)), {.snapshot = {.online = enabled()}}).operation ==
            Operation::kDelete);
  }
}

TEST_CASE("finalization: the stored backup is deleted before the finalizer is removed [R-ONLINE-8]",
          "[reconciler][online]") {
  LogicalVolume snapshot = removed(backed_up(SnapshotPhase::kSucceeded));
  snapshot.status = written(snapshot, {.snapshot = {.online = enabled()}});
  CHECK(condition_in(snapshot.status, "SnapshotDeleteEnsured").status == "Unknown");
  CHECK(plan(snapshot, {.snapshot = {.online = enabled()}}) == Step{FindBackupLocation{kStorage}});
  CHECK(plan(snapshot, {.snapshot = {.online = enabled(), .location_base = kBase}}) ==
        Step{DeleteBackup{}});
  snapshot.status = written(snapshot, {.snapshot = {.online = enabled(), .transfer = running()}});
  CHECK(condition_in(snapshot.status, "SnapshotDeleteEnsured").reason == "SnapshotDeleteRunning");
  CHECK(plan(snapshot, {.snapshot = {.online = enabled()}}) ==
        Step{FollowTransfer{Operation::kDelete}});
  SECTION("deleted") {
    snapshot.status =
        written(snapshot,
                {.snapshot = {.online = enabled(), .transfer = ended(TransferPhase::kSucceeded)}});
    CHECK(condition_in(snapshot.status, "SnapshotDeleteEnsured").status == "True");
    CHECK(plan(snapshot, {.snapshot = {.online = enabled()}}) == Step{Remove{}});
    CHECK(plan(snapshot, {.volume = {.removed = true}, .snapshot = {.online = enabled()}}) ==
          Step{RemoveFinalizer{}});
  }
  SECTION("failed: it is tried for ever, whatever the cause") {
    snapshot.status =
        written(snapshot, {.snapshot = {.online = enabled(), .transfer = failed(false)}});
    snapshot.status.snapshot->attempts = 100;
    CHECK(plan(snapshot, {.snapshot = {.online = enabled()}}) == Step{AwaitRetry{100}});
    CHECK(snapshot_in(snapshot, {.snapshot = {.online = enabled(), .retry_due = true}}).phase ==
          SnapshotPhase::kPending);
  }
  SECTION("abandoned: the object goes without it") {
    snapshot.annotations["lvmd.io/abandon"] = "true";
    CHECK(plan(snapshot, {.volume = {.owner_cleared = true}, .snapshot = {.online = enabled()}}) ==
          Step{Abandon{}});
  }
}

TEST_CASE("finalization of a restored volume: cancel, RemoveLV, remove the finalizer [R-ONLINE-8]",
          "[reconciler][online]") {
  const LogicalVolume volume = removed(restored(SnapshotPhase::kRunning));
  CHECK(plan(volume, {.snapshot = {.online = enabled()}}) ==
        Step{CancelTransfer{Operation::kRestore}});
  CHECK(plan(volume, {.snapshot = {.online = enabled(), .transfer = running()}}) ==
        Step{AwaitTransfer{Operation::kRestore}});
  CHECK(plan(volume,
             {.snapshot = {.online = enabled(), .transfer = ended(TransferPhase::kCancelled)}}) ==
        Step{Remove{}});
  CHECK(plan(removed(restored(SnapshotPhase::kSucceeded)), {.snapshot = {.online = enabled()}}) ==
        Step{Remove{}});
}

TEST_CASE("the cleaned snapshot of a backup that is to go is no removal of the object",
          "[reconciler][online]") {
  const LogicalVolume snapshot = removed(backed_up(SnapshotPhase::kSucceeded));
  CHECK(snapshot_in(snapshot, {.snapshot = {.online = enabled(), .cleaned = true}}).operation ==
        Operation::kDelete);
}
