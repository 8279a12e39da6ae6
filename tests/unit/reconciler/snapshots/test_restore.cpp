// A reconciliation of a volume that is restored from a stored snapshot.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "reconciler/app/object_tracker.hpp"
#include "tests/unit/reconciler/snapshots/online_world.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

TEST_CASE("a failed look-up decides nothing: nothing is created [R-ONLINE-1]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.be_restored();
  world.catalog.error = make_error(Code::kUnavailable, "API server: HTTP 403");
  CHECK(world.reconcile(1) == ReconcileResult::kRetry);
  CHECK(world.service.calls == Calls{"find ssd"});
  CHECK(world.store.calls == Calls{"read snapshot-1", "status"});
  CHECK(world.store.object.status.code == 0);
  CHECK(world.condition("Ready").status == "False");
}

TEST_CASE("a volume is restored: created empty, then filled [R-ONLINE-3]", "[reconciler][online]") {
  OnlineWorld world;
  world.be_restored();
  CHECK(world.reconcile() == ReconcileResult::kWaiting);
  CHECK(world.service.calls == Calls{"find ssd", "create uid-r "});
  CHECK(world.transfers.calls == Calls{"restore uid-r at " + kRepository});
  CHECK(world.transfers.used_backup == "uid-s");
  CHECK(world.transfers.used_snapshot.empty());
  CHECK(world.store.object.status.volume_id == "uid-r");
  CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
  world.transfers.end(Operation::kRestore, "uid-r", TransferPhase::kSucceeded);
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.condition("RestoreReady").status == "True");
}

TEST_CASE("a restore does not start without its PersistentVolume [R-ONLINE-3]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.be_restored();
  world.catalog.volumes.clear();
  CHECK(world.reconcile() == ReconcileResult::kRetry);
  CHECK(world.transfers.calls.empty());
  CHECK(world.store.object.status.volume_id == "uid-r");
  CHECK(world.snapshot().phase == SnapshotPhase::kPending);
  SECTION("under the gate volumeid it does [R-ONLINE-4]") {
    OnlineWorld has_finalizer;
    has_finalizer.be_restored();
    has_finalizer.catalog.volumes.clear();
    has_finalizer.gate = RestoreGate::kVolumeId;
    CHECK(has_finalizer.reconcile() == ReconcileResult::kWaiting);
    CHECK(has_finalizer.store.object.status.volume_id.empty());
    has_finalizer.transfers.end(Operation::kRestore, "uid-r", TransferPhase::kSucceeded);
    CHECK(has_finalizer.reconcile() == ReconcileResult::kSettled);
    CHECK(has_finalizer.store.object.status.volume_id == "uid-r");
  }
}

TEST_CASE("one object's decision is not another's [R-ONLINE-11]", "[reconciler][online]") {
  OnlineWorld restored;
  restored.be_restored();
  REQUIRE(restored.reconcile() == ReconcileResult::kWaiting);
  // The same services, another object: a plain volume.
  restored.store.object = OnlineWorld::object("pvc-3", "uid-p", "", "");
  restored.progress = {};
  CHECK(restored.reconcile() == ReconcileResult::kSettled);
  CHECK(restored.catalog.calls.empty());
  CHECK_FALSE(restored.store.object.status.snapshot.has_value());
}

TEST_CASE("a restore that waits for its source's backup is retried when that changes [R-SRC-5]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.be_restored();
  world.store.others.begin()->second.status.snapshot.reset();
  world.catalog.classes["snapshot-1"].mode = "online";
  REQUIRE(world.reconcile() == ReconcileResult::kRetry);
  CHECK(world.store.object.status.volume_id == "uid-r");
  CHECK(world.transfers.calls.empty());
  ObjectTracker tracker;
  world.progress.failures = 1;
  tracker.note(world.progress);
  CHECK(tracker.waiting_for({.name = "snapshot-1"}) == std::vector<Key>{world.store.object.key});
  CHECK(tracker.waiting_for({.name = "snapshot-2"}).empty());
}
