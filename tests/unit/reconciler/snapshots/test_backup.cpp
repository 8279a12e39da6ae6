// A reconciliation of a snapshot that is stored, to the end of what is stored.
#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "tests/unit/reconciler/snapshots/online_world.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

TEST_CASE("an online snapshot is created and its backup started in one reconciliation [R-ONLINE-5]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.be_snapshot();
  CHECK(world.reconcile() == ReconcileResult::kWaiting);
  CHECK(world.service.calls == Calls{"find ssd", "snapshot uid-s of uid-o ro"});
  CHECK(world.transfers.calls == Calls{"backup uid-s at " + kRepository});
  CHECK(world.transfers.used.settings.credentials.password == "p");
  CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
  CHECK(world.snapshot().repository == kRepository);
  CHECK(world.store.object.status.volume_id == "uid-s");
  // A worker isn't held up by it [R-ONLINE-7].
  CHECK(world.wait == kProgressInterval);
  CHECK(world.awaited == TransferName{Operation::kBackup, "uid-s"});
}

TEST_CASE("a running backup causes one call, and a write only for a change [R-ONLINE-7]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.begin_backup();
  world.transfers.of(Operation::kBackup, "uid-s").progress = {.total_bytes = 10, .done_bytes = 5};
  SECTION("told a moment ago") {
    CHECK(world.reconcile() == ReconcileResult::kWaiting);
    CHECK(world.transfers.calls == Calls{"get uid-s"});
    CHECK(world.store.calls.empty());
  }
  SECTION("told five seconds ago") {
    world.progress.written_at -= kProgressInterval;
    CHECK(world.reconcile() == ReconcileResult::kWaiting);
    CHECK(world.store.calls == Calls{"status"});
    CHECK(percentage_of(*world.snapshot().progress) == 50);
  }
}

TEST_CASE("the local snapshot is removed after a successful backup [R-ONLINE-5]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.begin_backup();
  world.transfers.end(Operation::kBackup, "uid-s", TransferPhase::kSucceeded);
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.service.calls == Calls{"remove uid-s"});
  CHECK(world.snapshot().phase == SnapshotPhase::kSucceeded);
  CHECK(world.condition("LVMSnapshotCleaned").status == "True");
  CHECK(world.store.events.back() == "BackupSucceeded");
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.service.calls.empty());
  CHECK(world.store.calls.empty());
}

TEST_CASE("a snapshot volume that is in use stays, and its condition says so [R-ONLINE-5]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.begin_backup();
  world.transfers.end(Operation::kBackup, "uid-s", TransferPhase::kSucceeded);
  world.service.error = make_error(Code::kFailedPrecondition, "in use").because("VOLUME_IN_USE");
  CHECK(world.reconcile() == ReconcileResult::kRetry);
  CHECK(world.condition("LVMSnapshotCleaned").reason == "VolumeInUse");
  CHECK(world.store.object.status.code == 0);
  world.service.error.reset();
  CHECK(world.reconcile(1) == ReconcileResult::kSettled);
  CHECK(world.condition("LVMSnapshotCleaned").status == "True");
}

TEST_CASE("a transfer that lvmd does not know any more is started again [R-ONLINE-10]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.begin_backup();
  world.transfers.known.clear();
  CHECK(world.reconcile() == ReconcileResult::kWaiting);
  CHECK(world.transfers.calls == Calls{"get uid-s", "backup uid-s at " + kRepository});
  CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
}

TEST_CASE(
    "a running transfer is awaited while lvmd is unavailable, and nothing is reported [R-FAIL-9]",
    "[reconciler][online]") {
  OnlineWorld world;
  world.begin_backup();
  world.transfers.error =
      make_error(Code::kUnavailable, "nobody there").because("LVMD_UNREACHABLE");
  CHECK(world.reconcile() == ReconcileResult::kWaiting);
  CHECK(world.wait == kProgressInterval);
  CHECK(world.store.calls.empty());
}

TEST_CASE("a transient failure is retried when it is due [R-ONLINE-6]", "[reconciler][online]") {
  OnlineWorld world;
  world.begin_backup();
  world.transfers.end(Operation::kBackup, "uid-s", TransferPhase::kFailed);
  CHECK(world.reconcile() == ReconcileResult::kWaiting);
  CHECK(world.snapshot().phase == SnapshotPhase::kFailed);
  CHECK(world.wait > std::chrono::milliseconds{0});
  CHECK(world.wait <= std::chrono::milliseconds{600});
  CHECK(world.reconcile() == ReconcileResult::kWaiting);  // Not yet.
  CHECK(world.store.calls.empty());
  REQUIRE(world.progress.retry_at.has_value());
  world.progress.retry_at = ObjectProgress::Clock::now();
  CHECK(world.reconcile() == ReconcileResult::kWaiting);
  CHECK(world.transfers.calls == Calls{"backup uid-s at " + kRepository});
  CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
  CHECK(world.snapshot().attempts == 2);
}

TEST_CASE("a refused start fails; a start without a free slot waits [R-ONLINE-6]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.be_snapshot();
  SECTION("refused") {
    world.transfers.refusal = make_error(Code::kFailedPrecondition, "no restic");
    CHECK(world.reconcile() == ReconcileResult::kSettled);
    CHECK(world.snapshot().phase == SnapshotPhase::kFailed);
    CHECK_FALSE(world.snapshot().completion_time.empty());
  }
  SECTION("no place") {
    world.transfers.refusal = make_error(Code::kResourceExhausted, "2 transfers run");
    CHECK(world.reconcile() == ReconcileResult::kRetry);
    CHECK(world.snapshot().phase == SnapshotPhase::kPending);
    CHECK(world.snapshot().message == "2 transfers run");
    CHECK(world.store.object.status.code == 0);
    world.transfers.refusal.reset();
    CHECK(world.reconcile(1) == ReconcileResult::kWaiting);
    CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
  }
  SECTION("known under other words") {
    world.transfers.of(Operation::kBackup, "uid-s").phase = TransferPhase::kRunning;
    world.transfers.refusal = make_error(Code::kAlreadyExists, "another one");
    CHECK(world.reconcile() == ReconcileResult::kWaiting);
    CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
  }
}

TEST_CASE("a backup location that does not exist yet is awaited [R-ONLINE-9]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.be_snapshot();
  world.catalog.storage.reset();
  CHECK(world.reconcile(1) == ReconcileResult::kRetry);
  CHECK(world.condition("BackupReady").reason == "NoStorage");
  CHECK(world.snapshot().phase == SnapshotPhase::kPending);
}

TEST_CASE("an object with a backup is removed after its stored data [R-ONLINE-8]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.begin_backup();
  world.store.object.removal_wanted = true;
  CHECK(world.reconcile() == ReconcileResult::kWaiting);
  CHECK(world.transfers.calls == Calls{"cancel uid-s", "delete uid-s at " + kRepository});
  CHECK(world.transfers.used_backup == "uid-s");
  CHECK(world.snapshot().operation == Operation::kDelete);
  CHECK(world.store.exists);
  SECTION("deleted") {
    world.transfers.end(Operation::kDelete, "uid-s", TransferPhase::kSucceeded);
    CHECK(world.reconcile() == ReconcileResult::kGone);
    CHECK(world.service.calls == Calls{"remove uid-s"});
  }
  SECTION("it fails, and is tried again") {
    world.transfers.end(Operation::kDelete, "uid-s", TransferPhase::kFailed);
    CHECK(world.reconcile() == ReconcileResult::kWaiting);
    CHECK(world.condition("SnapshotDeleteEnsured").status == "False");
    world.progress.retry_at = ObjectProgress::Clock::now();
    CHECK(world.reconcile() == ReconcileResult::kWaiting);
    CHECK(world.transfers.calls == Calls{"delete uid-s at " + kRepository});
  }
  SECTION("abandoned") {
    world.store.object.annotations["lvmd.io/abandon"] = "true";
    CHECK(world.reconcile() == ReconcileResult::kGone);
    CHECK(world.service.calls == Calls{"owner uid-s "});
    CHECK(world.transfers.calls.empty());
  }
}

TEST_CASE("a definition without status.snapshot causes no loop [R-KUBE-13]",
          "[reconciler][online]") {
  class Dropping : public FakeStore {
   public:
    Result<LogicalVolume> write_status(const LogicalVolume& volume,
                                       const VolumeStatus& status) override {
      auto written = FakeStore::write_status(volume, status);
      object.status.snapshot.reset();
      if (written) written->status.snapshot.reset();
      return written;
    }
  };
  Dropping store;
  OnlineWorld world;
  world.be_snapshot();
  store.object = world.store.object;
  store.others = world.store.others;
  Reconciliation reconciliation{store,
                                world.service,
                                {.seen = store.object},
                                world.stop.get_token(),
                                Mode::kAct,
                                {.transfers = &world.transfers, .catalog = &world.catalog}};
  CHECK(reconciliation.run() == ReconcileResult::kRetry);
  CHECK(world.transfers.calls.empty());
}
