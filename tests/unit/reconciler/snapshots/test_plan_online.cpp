// plan() for online snapshots: what is decided, and how the volume comes into being. Each case
// names the branch of the flow that it is.
#include <catch2/catch.hpp>
#include <optional>

#include "reconciler/app/plan.hpp"
#include "reconciler/snapshots/online_snapshot.hpp"
#include "tests/unit/reconciler/snapshots/online_objects.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

// ---- Decision tree: shouldPerformSnapshotBackup(vsClass)

TEST_CASE("a backup is made only for an online class [R-ONLINE-1]", "[reconciler][online]") {
  CHECK_FALSE(is_online(std::nullopt));                      // vsClass == nil
  CHECK_FALSE(is_online(SnapshotClass{}));                   // no SnapshotMode
  CHECK_FALSE(is_online(SnapshotClass{.mode = "offline"}));  // another mode
  CHECK_FALSE(is_online(SnapshotClass{.mode = "Online"}));   // "online" is one word
  CHECK(is_online(kOnline));                                 // perform backup
}

// ---- Decision tree: shouldPerformSnapshotRestore(sourceLV, vsClass)

TEST_CASE(
    "a volume is restored from a source without a status, or with a backup that succeeded "
    "[R-ONLINE-2]",
    "[reconciler][online]") {
  using enum SnapshotPhase;
  const auto source = [](SnapshotPhase phase) {
    return snapshot_source(transfer_status(Operation::kBackup, phase));
  };
  CHECK(should_restore(snapshot_source(std::nullopt), kOnline));  // Status.Snapshot == nil
  CHECK(should_restore(source(kSucceeded), kOnline));             // Phase == SUCCEEDED
  CHECK_FALSE(should_restore(source(kPending), kOnline));         // other phases
  CHECK_FALSE(should_restore(source(kRunning), kOnline));
  CHECK_FALSE(should_restore(source(kFailed), kOnline));
  CHECK_FALSE(should_restore(source(kSucceeded), std::nullopt));  // not online
  CHECK_FALSE(should_restore(snapshot_source(std::nullopt), SnapshotClass{}));
  CHECK_FALSE(
      should_restore(snapshot_source(transfer_status(Operation::kDelete, kSucceeded)), kOnline));
}

// ---- Creation flow

TEST_CASE("without online snapshots a snapshot is a snapshot volume [R-ONLINE-1]",
          "[reconciler][online]") {
  const LogicalVolume clone = new_clone();
  CHECK(plan(clone, {.volume = {.looked_up = true}}) == Step{FindSource{}});
  Source source = snapshot_source(std::nullopt);
  source.node_name = "n2";
  CHECK(plan(clone, {.volume = {.looked_up = true, .source = source}}) == Step{AddFinalizer{}});
  CHECK(plan(snapshot_object(), {}) == Step{Nothing{}});
}

TEST_CASE(
    "creation: the source exists, its class is read, and then the mode is decided [R-ONLINE-1]",
    "[reconciler][online]") {
  const LogicalVolume clone = new_clone();
  Observed observed{.snapshot = {.online = enabled()}};
  CHECK(plan(clone, observed) == Step{LookUp{}});
  observed.volume.looked_up = true;
  CHECK(plan(clone, observed) == Step{FindSource{}});
  observed.volume.source = snapshot_source(std::nullopt);
  CHECK(plan(clone, observed) == Step{FindSnapshotClass{.of_source = true}});
  SECTION("online: restore mode, kept in the object before anything is made [R-ONLINE-2]") {
    observed.snapshot.source_class = LookedUp<SnapshotClass>{kOnline};
    CHECK(plan(clone, observed) == Step{AddFinalizer{.restore_from = "uid-s"}});
  }
  SECTION("no class: snapshot LV mode, with its own rules [R-SRC-4]") {
    observed.snapshot.source_class = LookedUp<SnapshotClass>{};
    const Error error = step_of<Unmet>(plan(clone, observed)).error;
    CHECK(error.code == Code::kFailedPrecondition);  // Another node.
    observed.volume.source->node_name = "n2";
    CHECK(plan(clone, observed) == Step{AddFinalizer{}});
  }
  SECTION("the backup runs: snapshot LV mode") {
    observed.volume.source =
        snapshot_source(transfer_status(Operation::kBackup, SnapshotPhase::kRunning));
    observed.volume.source->node_name = "n2";
    observed.snapshot.source_class = LookedUp<SnapshotClass>{kOnline};
    CHECK(plan(clone, observed) == Step{AddFinalizer{}});
  }
  SECTION("the source is no snapshot: no class is looked up") {
    observed.volume.source = origin_source();
    observed.volume.source->node_name = "n2";
    CHECK(plan(clone, observed) == Step{AddFinalizer{}});
  }
  SECTION("no source") {
    observed.volume.source = Source{};
    CHECK(step_of<Unmet>(plan(clone, observed)).error.code == Code::kNotFound);
  }
}

TEST_CASE(
    "creation: in restore mode an empty volume is created, wherever the source is [R-ONLINE-3]",
    "[reconciler][online]") {
  LogicalVolume clone = new_clone();
  clone.has_metadata = clone.has_finalizer = true;
  clone.restore_from = "uid-s";
  Observed observed{.volume = {.looked_up = true, .source = snapshot_source(std::nullopt)},
                    .snapshot = {.online = enabled()}};
  CHECK(plan(clone, observed) == Step{Create{.size = kWanted, .restore = "uid-r"}});
  SECTION("the decision isn't taken again: the class is not looked at [R-ONLINE-2]") {
    observed.volume.source =
        snapshot_source(transfer_status(Operation::kBackup, SnapshotPhase::kFailed));
    CHECK(plan(clone, observed) == Step{Create{.size = kWanted, .restore = "uid-r"}});
  }
  SECTION("volumeID and Pending are one write") {
    observed.volume.size = kWanted;
    const VolumeStatus status = written(clone, observed);
    CHECK(status.volume_id == "uid-r");
    CHECK(status.current_size == kWanted);
    REQUIRE(status.snapshot.has_value());
    CHECK(status.snapshot->operation == Operation::kRestore);
    CHECK(status.snapshot->phase == SnapshotPhase::kPending);
    CHECK(condition_in(status, "Ready").status == "True");
    CHECK(condition_in(status, "RestoreReady").status == "Unknown");
  }
  SECTION("found again after a crash: the source is not asked for") {
    observed.volume.source.reset();
    observed.volume.size = kWanted;
    CHECK(snapshot_in(clone, observed).phase == SnapshotPhase::kPending);
  }
  SECTION("another object of the source's name is not what was decided for") {
    observed.volume.source->uid = "uid-x";
    CHECK(step_of<Unmet>(plan(clone, observed)).error.reason == "SOURCE_REPLACED");
  }
  SECTION("smaller than the source") {
    observed.volume.source->size = Bytes{kWanted.value + 4096};
    CHECK(step_of<Unmet>(plan(clone, observed)).error.code == Code::kOutOfRange);
  }
  SECTION("the source's size is not known yet") {
    observed.volume.source->size.reset();
    CHECK(step_of<Unmet>(plan(clone, observed)).error.code == Code::kUnavailable);
  }
}

TEST_CASE("a decision is also stored in an object that has its finalizer already [R-ONLINE-2]",
          "[reconciler][online]") {
  LogicalVolume clone = new_clone();
  clone.has_metadata = clone.has_finalizer = true;
  const Observed observed{
      .volume = {.looked_up = true, .source = snapshot_source(std::nullopt)},
      .snapshot = {.online = enabled(), .source_class = LookedUp<SnapshotClass>{kOnline}}};
  CHECK(plan(clone, observed) == Step{AddFinalizer{.restore_from = "uid-s"}});
}

TEST_CASE("gate volumeid: volumeID comes with the end of the restore [R-ONLINE-4]",
          "[reconciler][online]") {
  LogicalVolume clone = new_clone();
  clone.has_metadata = clone.has_finalizer = true;
  clone.restore_from = "uid-s";
  const Observed observed{
      .volume = {.looked_up = true, .size = kWanted, .source = snapshot_source(std::nullopt)},
      .snapshot = {.online = enabled(RestoreGate::kVolumeId)}};
  const VolumeStatus pending = written(clone, observed);
  CHECK(pending.volume_id.empty());
  CHECK(pending.current_size == kWanted);
  REQUIRE(pending.snapshot.has_value());
  CHECK(condition_in(pending, "Ready").status.empty());

  clone.status = pending;
  clone.status.snapshot->repository = kRepository;
  clone.status.snapshot->storage = kStorage;
  SECTION("no PersistentVolume is waited for") {
    CHECK(plan(clone, {.snapshot = {.online = enabled(RestoreGate::kVolumeId)}}) ==
          Step{FindBackupLocation{kStorage}});
  }
  SECTION("the end tells the volume") {
    clone.status.snapshot->phase = SnapshotPhase::kRunning;
    const VolumeStatus done =
        written(clone, {.snapshot = {.online = enabled(RestoreGate::kVolumeId),
                                     .transfer = ended(TransferPhase::kSucceeded)}});
    CHECK(done.volume_id == "uid-r");
    CHECK(condition_in(done, "Ready").status == "True");
    CHECK(condition_in(done, "RestoreReady").status == "True");
  }
  SECTION("a failure tells none") {
    clone.status.snapshot->phase = SnapshotPhase::kRunning;
    const VolumeStatus done = written(
        clone,
        {.snapshot = {.online = enabled(RestoreGate::kVolumeId), .transfer = failed(false)}});
    CHECK(done.volume_id.empty());
    CHECK(done.code == 0);
  }
  SECTION("under the other gate it is told at once") {
    const VolumeStatus told = written(clone, {.snapshot = {.online = enabled()}});
    CHECK(told.volume_id == "uid-r");
    CHECK(told.snapshot == clone.status.snapshot);
  }
}
