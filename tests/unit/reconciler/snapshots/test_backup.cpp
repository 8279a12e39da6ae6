// A pass over a snapshot that is stored, to the end of what is stored.
#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "tests/unit/reconciler/snapshots/online_world.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

TEST_CASE("an online snapshot is made, and its backup begun, in one pass [R-ONLINE-5]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.be_snapshot();
  CHECK(world.pass() == ReconcileResult::kWaiting);
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

TEST_CASE("a running backup costs one question, and no write without news [R-ONLINE-7]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.begin_backup();
  world.transfers.of(Operation::kBackup, "uid-s").progress = {.total_bytes = 10, .done_bytes = 5};
  SECTION("told a moment ago") {
    CHECK(world.pass() == ReconcileResult::kWaiting);
    CHECK(world.transfers.calls == Calls{"get uid-s"});
    CHECK(world.store.calls.empty());
  }
  SECTION("told five seconds ago") {
    world.progress.written_at -= kProgressInterval;
    CHECK(world.pass() == ReconcileResult::kWaiting);
    CHECK(world.store.calls == Calls{"status"});
    CHECK(percentage_of(*world.snapshot().progress) == 50);
  }
}

TEST_CASE("a backup that has succeeded takes the local snapshot with it [R-ONLINE-5]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.begin_backup();
  world.transfers.end(Operation::kBackup, "uid-s", TransferPhase::kSucceeded);
  CHECK(world.pass() == ReconcileResult::kSettled);
  CHECK(world.service.calls == Calls{"remove uid-s"});
  CHECK(world.snapshot().phase == SnapshotPhase::kSucceeded);
  CHECK(world.condition("LVMSnapshotCleaned").status == "True");
  CHECK(world.store.events.back() == "BackupSucceeded");
  CHECK(world.pass() == ReconcileResult::kSettled);
  CHECK(world.service.calls.empty());
  CHECK(world.store.calls.empty());
}

TEST_CASE("a snapshot volume that is in use stays, and its condition says so [R-ONLINE-5]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.begin_backup();
  world.transfers.end(Operation::kBackup, "uid-s", TransferPhase::kSucceeded);
  world.service.error = make_error(Code::kFailedPrecondition, "in use").because("VOLUME_IN_USE");
  CHECK(world.pass() == ReconcileResult::kRetry);
  CHECK(world.condition("LVMSnapshotCleaned").reason == "VolumeInUse");
  CHECK(world.store.object.status.code == 0);
  world.service.error.reset();
  CHECK(world.pass(1) == ReconcileResult::kSettled);
  CHECK(world.condition("LVMSnapshotCleaned").status == "True");
}

TEST_CASE("a transfer that lvmd doesn't know any more is begun again [R-ONLINE-10]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.begin_backup();
  world.transfers.known.clear();
  CHECK(world.pass() == ReconcileResult::kWaiting);
  CHECK(world.transfers.calls == Calls{"get uid-s", "backup uid-s at " + kRepository});
  CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
}

TEST_CASE("while lvmd is away a running transfer is waited for, and nothing is told [R-FAIL-9]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.begin_backup();
  world.transfers.error =
      make_error(Code::kUnavailable, "nobody there").because("LVMD_UNREACHABLE");
  CHECK(world.pass() == ReconcileResult::kWaiting);
  CHECK(world.wait == kProgressInterval);
  CHECK(world.store.calls.empty());
}

TEST_CASE("a passing failure is tried again when its time has come [R-ONLINE-6]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.begin_backup();
  world.transfers.end(Operation::kBackup, "uid-s", TransferPhase::kFailed);
  CHECK(world.pass() == ReconcileResult::kWaiting);
  CHECK(world.snapshot().phase == SnapshotPhase::kFailed);
  CHECK(world.wait > std::chrono::milliseconds{0});
  CHECK(world.wait <= std::chrono::milliseconds{600});
  CHECK(world.pass() == ReconcileResult::kWaiting);  // Not yet.
  CHECK(world.store.calls.empty());
  REQUIRE(world.progress.retry_at.has_value());
  world.progress.retry_at = ObjectProgress::Clock::now();
  CHECK(world.pass() == ReconcileResult::kWaiting);
  CHECK(world.transfers.calls == Calls{"backup uid-s at " + kRepository});
  CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
  CHECK(world.snapshot().attempts == 2);
}

TEST_CASE("a refused start has failed; one without a free place waits [R-ONLINE-6]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.be_snapshot();
  SECTION("refused") {
    world.transfers.refusal = make_error(Code::kFailedPrecondition, "no restic");
    CHECK(world.pass() == ReconcileResult::kSettled);
    CHECK(world.snapshot().phase == SnapshotPhase::kFailed);
    CHECK_FALSE(world.snapshot().completion_time.empty());
  }
  SECTION("no place") {
    world.transfers.refusal = make_error(Code::kResourceExhausted, "2 transfers run");
    CHECK(world.pass() == ReconcileResult::kRetry);
    CHECK(world.snapshot().phase == SnapshotPhase::kPending);
    CHECK(world.snapshot().message == "2 transfers run");
    CHECK(world.store.object.status.code == 0);
    world.transfers.refusal.reset();
    CHECK(world.pass(1) == ReconcileResult::kWaiting);
    CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
  }
  SECTION("known under other words") {
    world.transfers.of(Operation::kBackup, "uid-s").phase = TransferPhase::kRunning;
    world.transfers.refusal = make_error(Code::kAlreadyExists, "another one");
    CHECK(world.pass() == ReconcileResult::kWaiting);
    CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
  }
}

TEST_CASE("a storage that isn't there yet is waited for [R-ONLINE-9]", "[reconciler][online]") {
  OnlineWorld world;
  world.be_snapshot();
  world.catalog.storage.reset();
  CHECK(world.pass(1) == ReconcileResult::kRetry);
  CHECK(world.condition("BackupReady").reason == "NoStorage");
  CHECK(world.snapshot().phase == SnapshotPhase::kPending);
}

TEST_CASE("an object with a backup goes after what is stored [R-ONLINE-8]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.begin_backup();
  world.store.object.removal_wanted = true;
  CHECK(world.pass() == ReconcileResult::kWaiting);
  CHECK(world.transfers.calls == Calls{"cancel uid-s", "delete uid-s at " + kRepository});
  CHECK(world.transfers.used_backup == "uid-s");
  CHECK(world.snapshot().operation == Operation::kDelete);
  CHECK(world.store.exists);
  SECTION("deleted") {
    world.transfers.end(Operation::kDelete, "uid-s", TransferPhase::kSucceeded);
    CHECK(world.pass() == ReconcileResult::kGone);
    CHECK(world.service.calls == Calls{"remove uid-s"});
  }
  SECTION("it fails, and is tried again") {
    world.transfers.end(Operation::kDelete, "uid-s", TransferPhase::kFailed);
    CHECK(world.pass() == ReconcileResult::kWaiting);
    CHECK(world.condition("SnapshotDeleteEnsured").status == "False");
    world.progress.retry_at = ObjectProgress::Clock::now();
    CHECK(world.pass() == ReconcileResult::kWaiting);
    CHECK(world.transfers.calls == Calls{"delete uid-s at " + kRepository});
  }
  SECTION("abandoned") {
    world.store.object.annotations["lvmd.io/abandon"] = "true";
    CHECK(world.pass() == ReconcileResult::kGone);
    CHECK(world.service.calls == Calls{"owner uid-s "});
    CHECK(world.transfers.calls.empty());
  }
}

TEST_CASE("a definition without status.snapshot doesn't lead round in circles [R-KUBE-13]",
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
  Reconciliation pass{store,
                      world.service,
                      {.seen = store.object},
                      world.stop.get_token(),
                      Mode::kAct,
                      {.transfers = &world.transfers, .catalog = &world.catalog}};
  CHECK(pass.run() == ReconcileResult::kRetry);
  CHECK(world.transfers.calls.empty());
}
