// plan() for objects whose status.snapshot this reconciler can't act upon: online snapshots are
// off, or another operator wrote it.
#include <catch2/catch.hpp>
#include <string>

#include "reconciler/app/plan.hpp"
#include "reconciler/volumes/event.hpp"
#include "tests/unit/reconciler/snapshots/online_objects.hpp"
#include "tests/unit/reconciler/snapshots/online_world.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

namespace {

// What every refusal has in common, whatever its condition.
void check_refused(const LogicalVolume& object, const Observed& observed,
                   const std::string& reason) {
  const VolumeStatus status = written(object, observed);
  CHECK(status.code == 9);
  CHECK(condition_in(status, "Ready").status == "False");
  CHECK(condition_in(status, "Ready").reason == reason);
}

LogicalVolume foreign(LogicalVolume volume) {
  volume.status.snapshot->version = "v0.1";
  return volume;
}

}  // namespace

TEST_CASE("without online snapshots a partly restored volume is refused [R-ONLINE-14]",
          "[reconciler][online]") {
  using enum SnapshotPhase;
  const SnapshotPhase phase = GENERATE(kPending, kRunning, kFailed);
  LogicalVolume volume = restored(phase);
  SECTION("volumeID is told") {}
  SECTION("volumeID is held back") {
    volume.status.volume_id.clear();
    volume.status.conditions.clear();
  }
  check_refused(volume, {.volume = {.looked_up = true, .size = kWanted}}, "OnlineSnapshotsOff");
}

TEST_CASE("a refusal is an event of the requested operation [R-ONLINE-14, R-EVENT-1]",
          "[reconciler][online]") {
  const LogicalVolume volume = restored(SnapshotPhase::kPending);
  const auto event = event_of(volume, written(volume, {}));
  REQUIRE(event.has_value());
  CHECK(event->is_warning);
  CHECK(event->reason == "RestoreFailed");
  CHECK(event->message.contains("--online-snapshots"));
  const LogicalVolume stored = removed(backed_up(SnapshotPhase::kSucceeded));
  CHECK(event_of(stored, written(stored, {}))->reason == "DeleteFailed");
}

TEST_CASE("without online snapshots no blank volume replaces a backup [R-ONLINE-14]",
          "[reconciler][online]") {
  LogicalVolume volume = new_clone();
  volume.restore_from = "uid-s";
  check_refused(volume, {.volume = {.looked_up = true, .source = origin_source()}},
                "OnlineSnapshotsOff");
}

TEST_CASE("without online snapshots a restored volume is like any other [R-ONLINE-14]",
          "[reconciler][online]") {
  CHECK(plan(restored(SnapshotPhase::kSucceeded), {}) == Step{Nothing{}});
  CHECK(plan(removed(restored(SnapshotPhase::kSucceeded)), {}) == Step{Remove{}});
  CHECK(plan(removed(restored(SnapshotPhase::kFailed)), {}) == Step{Remove{}});
}

TEST_CASE("without online snapshots an object with stored data is not removed [R-ONLINE-14]",
          "[reconciler][online]") {
  using enum SnapshotPhase;
  const SnapshotPhase phase = GENERATE(kPending, kRunning, kFailed, kSucceeded);
  LogicalVolume snapshot = removed(backed_up(phase));
  check_refused(snapshot, {}, "OnlineSnapshotsOff");
  snapshot.removal_begun = false;
  check_refused(snapshot, {}, "OnlineSnapshotsOff");
  snapshot.annotations[std::string{kAbandonAnnotation}] = "true";
  CHECK(plan(snapshot, {.volume = {.owner_cleared = true}}) == Step{Abandon{}});
}

TEST_CASE("enabling online snapshots again clears the refusal [R-ONLINE-14]",
          "[reconciler][online]") {
  LogicalVolume volume = restored(SnapshotPhase::kRunning);
  volume.status = written(volume, {});
  volume.status = written(volume, {.snapshot = {.online = enabled()}});
  CHECK(volume.status.code == 0);
  CHECK(condition_in(volume.status, "Ready").status == "Unknown");
  CHECK(plan(volume, {.snapshot = {.online = enabled()}}) ==
        Step{FollowTransfer{Operation::kRestore}});
}

TEST_CASE("another operator's backup keeps its local snapshot [R-ONLINE-13]",
          "[reconciler][online]") {
  const LogicalVolume snapshot = foreign(backed_up(SnapshotPhase::kSucceeded));
  CHECK_FALSE(is_stored(snapshot));
  const VolumeStatus status = written(snapshot, {.snapshot = {.online = enabled()}});
  CHECK(condition_in(status, "LVMSnapshotCleaned").status == "False");
  CHECK(condition_in(status, "LVMSnapshotCleaned").reason == "ForeignSnapshot");
  CHECK(status.snapshot == snapshot.status.snapshot);
  CHECK(plan(foreign(backed_up(SnapshotPhase::kSucceeded)), {}) == Step{Nothing{}});
}

TEST_CASE("a backup without its place keeps the local snapshot [R-ONLINE-13]",
          "[reconciler][online]") {
  LogicalVolume snapshot = backed_up(SnapshotPhase::kSucceeded);
  SECTION("no repository") { snapshot.status.snapshot->repository.clear(); }
  SECTION("no snapshot") { snapshot.status.snapshot->snapshot_id.clear(); }
  SECTION("another object's") { snapshot.status.snapshot->backup_id = "uid-x"; }
  const VolumeStatus status = written(snapshot, {.snapshot = {.online = enabled()}});
  CHECK(condition_in(status, "LVMSnapshotCleaned").reason == "ForeignSnapshot");
}

TEST_CASE("another operator's transfers are neither followed nor deleted [R-ONLINE-13]",
          "[reconciler][online]") {
  const Observed observed = GENERATE(Observed{.snapshot = {.online = enabled()}},
                                     Observed{.snapshot = {.online = OnlineRules{}}});
  check_refused(foreign(restored(SnapshotPhase::kRunning)), observed, "ForeignSnapshot");
  check_refused(removed(foreign(backed_up(SnapshotPhase::kSucceeded))), observed,
                "ForeignSnapshot");
  CHECK(plan(removed(foreign(restored(SnapshotPhase::kRunning))), observed) == Step{Remove{}});
  LogicalVolume nothing_stored = removed(foreign(backed_up(SnapshotPhase::kFailed)));
  nothing_stored.status.snapshot->repository.clear();
  nothing_stored.status.snapshot->snapshot_id.clear();
  CHECK(plan(nothing_stored, observed) == Step{Remove{}});
}

TEST_CASE("nothing is created from a source that another operator stored [R-ONLINE-13]",
          "[reconciler][online]") {
  SnapshotStatus backup = transfer_status(Operation::kBackup, SnapshotPhase::kSucceeded);
  backup.version = "v0.1";
  const Observed observed{
      .volume = {.looked_up = true, .source = snapshot_source(backup)},
      .snapshot = {.online = enabled(), .source_class = LookedUp<SnapshotClass>{kOnline}}};
  const Error error = step_of<Unmet>(plan(new_clone(), observed)).error;
  CHECK(error.code == Code::kFailedPrecondition);
  CHECK(error.reason == "FOREIGN_SNAPSHOT");
}

TEST_CASE("a source with an empty repository is reported, and causes no loop [R-ONLINE-13]",
          "[reconciler][online]") {
  OnlineWorld world;
  world.be_restored();
  REQUIRE(world.reconcile() == ReconcileResult::kWaiting);
  LogicalVolume& source = world.store.others.begin()->second;
  source.status.snapshot->repository.clear();
  world.store.object.status.snapshot->repository.clear();
  world.store.object.status.snapshot->phase = SnapshotPhase::kPending;
  CHECK(world.reconcile(1) == ReconcileResult::kRetry);
  CHECK(world.store.calls.size() < 5);
  CHECK(world.condition("RestoreReady").reason == "ForeignSnapshot");
}
