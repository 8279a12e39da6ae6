// plan() for online snapshots. Each case names the branch of the flow that it is.
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "reconciler/plan/plan.hpp"
#include "reconciler/plan/transfer.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;

namespace {

constexpr Bytes kWanted{1073741824};
const StorageName kStorage{.scope = "backups", .name = "s3"};
const SnapshotClass kOnline{.mode = "online", .storage = kStorage};
const std::string kBase = "s3:https://minio/bucket";
const std::string kRepository = "s3:https://minio/bucket/shop/data";

OnlineRules enabled(RestoreGate gate = RestoreGate::kPhase) {
  return {.enabled = true, .gate = gate};
}

Conditions good_conditions() {
  return {{.type = "Ready", .status = "True", .reason = "Provisioned"},
          {.type = "Resized", .status = "True", .reason = "SizeReached"}};
}

// A snapshot whose volume is made, and a volume to be made from one.
LogicalVolume snapshot_object() {
  LogicalVolume volume;
  volume.key.name = "snapshot-1";
  volume.uid = "uid-s";
  volume.spec = {.name = "snapshot-1",
                 .node_name = "n1",
                 .size = "1Gi",
                 .source = "origin",
                 .access_type = "ro"};
  volume.marked = volume.held = true;
  volume.status = {.volume_id = "uid-s", .current_size = kWanted, .conditions = good_conditions()};
  return volume;
}

LogicalVolume new_clone() {
  LogicalVolume volume;
  volume.key.name = "pvc-2";
  volume.uid = "uid-r";
  volume.spec = {.name = "pvc-2",
                 .node_name = "n2",
                 .size = "1Gi",
                 .source = "snapshot-1",
                 .access_type = "rw"};
  return volume;
}

SnapshotStatus transfer_status(Operation operation, SnapshotPhase phase) {
  return {.operation = operation,
          .phase = phase,
          .repository = kRepository,
          .storage = kStorage,
          .backup_id = "uid-s",
          .version = "lvmd.v1",
          .attempts = 1};
}

LogicalVolume backed_up(SnapshotPhase phase) {
  LogicalVolume volume = snapshot_object();
  volume.status = with_snapshot(volume, transfer_status(Operation::kBackup, phase));
  return volume;
}

LogicalVolume restored(SnapshotPhase phase) {
  LogicalVolume volume = new_clone();
  volume.marked = volume.held = true;
  volume.restore_from = "uid-s";
  volume.status = {.volume_id = "uid-r", .current_size = kWanted, .conditions = good_conditions()};
  volume.status = with_snapshot(volume, transfer_status(Operation::kRestore, phase));
  return volume;
}

LogicalVolume removed(LogicalVolume volume) {
  volume.removal_wanted = volume.removal_begun = true;
  return volume;
}

// What the snapshot is to a volume that is made from it.
Source snapshot_source(std::optional<SnapshotStatus> snapshot) {
  return {.exists = true,
          .node_name = "n1",
          .volume_id = "uid-s",
          .size = kWanted,
          .uid = "uid-s",
          .spec_name = "snapshot-1",
          .is_snapshot = true,
          .snapshot = std::move(snapshot)};
}

Source origin_source() {
  return {.exists = true,
          .node_name = "n1",
          .volume_id = "uid-o",
          .size = kWanted,
          .uid = "uid-o",
          .spec_name = "pvc-1"};
}

template <typename S>
S step_of(const Step& step) {
  REQUIRE(std::holds_alternative<S>(step));
  return std::get<S>(step);
}

VolumeStatus written(const Step& step) { return step_of<WriteStatus>(step).status; }

SnapshotStatus snapshot_in(const Step& step) {
  const VolumeStatus status = written(step);
  REQUIRE(status.snapshot.has_value());
  return *status.snapshot;
}

Condition condition_in(const VolumeStatus& status, std::string_view type) {
  const Condition* const found = find_condition(status.conditions, type);
  return found == nullptr ? Condition{} : *found;
}

Transfer running(std::uint64_t done = 0) {
  return {.phase = TransferPhase::kRunning,
          .step = "copying",
          .progress = {.total_bytes = 100, .done_bytes = done},
          .start_time = std::chrono::system_clock::time_point{std::chrono::seconds{1000}}};
}

Transfer ended(TransferPhase phase) {
  Transfer transfer = running(100);
  transfer.phase = phase;
  transfer.completion_time = std::chrono::system_clock::time_point{std::chrono::seconds{1061}};
  return transfer;
}

Transfer failed(bool transient) {
  Transfer transfer = ended(TransferPhase::kFailed);
  transfer.error = TransferError{.code = "SnapshotExecutionFailed",
                                 .reason = "RepositoryUnreachable",
                                 .message = "no route to minio",
                                 .transient = transient};
  return transfer;
}

LogicalVolume failed_backup(bool transient, std::uint32_t attempts = 1) {
  LogicalVolume volume = backed_up(SnapshotPhase::kRunning);
  SnapshotStatus snapshot = advance(*volume.status.snapshot, failed(transient));
  snapshot.attempts = attempts;
  volume.status = with_snapshot(volume, snapshot);
  return volume;
}

}  // namespace

// ---- Decision tree: shouldPerformSnapshotBackup(vsClass)

TEST_CASE("a backup is made for an online class alone [R-ONLINE-1]", "[reconciler][online]") {
  CHECK_FALSE(should_backup(std::nullopt));                      // vsClass == nil
  CHECK_FALSE(should_backup(SnapshotClass{}));                   // no SnapshotMode
  CHECK_FALSE(should_backup(SnapshotClass{.mode = "offline"}));  // another mode
  CHECK_FALSE(should_backup(SnapshotClass{.mode = "Online"}));   // "online" is one word
  CHECK(should_backup(kOnline));                                 // perform backup
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

TEST_CASE("without online snapshots a snapshot is what it always was [R-ONLINE-1]",
          "[reconciler][online]") {
  const LogicalVolume clone = new_clone();
  CHECK(plan(clone, {.looked_up = true}) == Step{FindSource{}});
  Source source = snapshot_source(std::nullopt);
  source.node_name = "n2";
  CHECK(plan(clone, {.looked_up = true, .source = source}) == Step{Mark{}});
  CHECK(plan(snapshot_object(), {}) == Step{Nothing{}});
}

TEST_CASE("creation: source exists, its class is looked up, and then it is decided [R-ONLINE-1]",
          "[reconciler][online]") {
  const LogicalVolume clone = new_clone();
  Observed observed{.online = enabled()};
  CHECK(plan(clone, observed) == Step{LookUp{}});
  observed.looked_up = true;
  CHECK(plan(clone, observed) == Step{FindSource{}});
  observed.source = snapshot_source(std::nullopt);
  CHECK(plan(clone, observed) == Step{FindSnapshotClass{.of_source = true}});
  SECTION("online: restore mode, kept in the object before anything is made [R-ONLINE-2]") {
    observed.source_class = LookedUp<SnapshotClass>{kOnline};
    CHECK(plan(clone, observed) == Step{Mark{.restore_from = "uid-s"}});
  }
  SECTION("no class: snapshot LV mode, with its own rules [R-SRC-4]") {
    observed.source_class = LookedUp<SnapshotClass>{};
    const Error error = step_of<Unmet>(plan(clone, observed)).error;
    CHECK(error.code == Code::kFailedPrecondition);  // Another node.
    observed.source->node_name = "n2";
    CHECK(plan(clone, observed) == Step{Mark{}});
  }
  SECTION("the backup runs: snapshot LV mode") {
    observed.source = snapshot_source(transfer_status(Operation::kBackup, SnapshotPhase::kRunning));
    observed.source->node_name = "n2";
    observed.source_class = LookedUp<SnapshotClass>{kOnline};
    CHECK(plan(clone, observed) == Step{Mark{}});
  }
  SECTION("the source is no snapshot: no class is looked up") {
    observed.source = origin_source();
    observed.source->node_name = "n2";
    CHECK(plan(clone, observed) == Step{Mark{}});
  }
  SECTION("no source") {
    observed.source = Source{};
    CHECK(step_of<Unmet>(plan(clone, observed)).error.code == Code::kNotFound);
  }
}

TEST_CASE("creation: in restore mode an empty volume is made, wherever the source is [R-ONLINE-3]",
          "[reconciler][online]") {
  LogicalVolume clone = new_clone();
  clone.marked = clone.held = true;
  clone.restore_from = "uid-s";
  Observed observed{
      .looked_up = true, .source = snapshot_source(std::nullopt), .online = enabled()};
  CHECK(plan(clone, observed) == Step{Create{kWanted}});
  SECTION("the decision isn't taken again: the class is not looked at [R-ONLINE-2]") {
    observed.source = snapshot_source(transfer_status(Operation::kBackup, SnapshotPhase::kFailed));
    CHECK(plan(clone, observed) == Step{Create{kWanted}});
  }
  SECTION("volumeID and Pending are one write") {
    observed.size = kWanted;
    const VolumeStatus status = written(plan(clone, observed));
    CHECK(status.volume_id == "uid-r");
    CHECK(status.current_size == kWanted);
    REQUIRE(status.snapshot.has_value());
    CHECK(status.snapshot->operation == Operation::kRestore);
    CHECK(status.snapshot->phase == SnapshotPhase::kPending);
    CHECK(condition_in(status, "Ready").status == "True");
    CHECK(condition_in(status, "RestoreReady").status == "Unknown");
  }
  SECTION("found again after a crash: the source is not asked for") {
    observed.source.reset();
    observed.size = kWanted;
    CHECK(snapshot_in(plan(clone, observed)).phase == SnapshotPhase::kPending);
  }
  SECTION("another object of the source's name is not what was decided for") {
    observed.source->uid = "uid-x";
    CHECK(step_of<Unmet>(plan(clone, observed)).error.reason == "SOURCE_REPLACED");
  }
  SECTION("smaller than the source") {
    observed.source->size = Bytes{kWanted.value + 4096};
    CHECK(step_of<Unmet>(plan(clone, observed)).error.code == Code::kOutOfRange);
  }
  SECTION("the source's size is not known yet") {
    observed.source->size.reset();
    CHECK(step_of<Unmet>(plan(clone, observed)).error.code == Code::kUnavailable);
  }
}

TEST_CASE("a decision goes onto an object that was marked before, too [R-ONLINE-2]",
          "[reconciler][online]") {
  LogicalVolume clone = new_clone();
  clone.marked = clone.held = true;
  const Observed observed{.looked_up = true,
                          .source = snapshot_source(std::nullopt),
                          .online = enabled(),
                          .source_class = LookedUp<SnapshotClass>{kOnline}};
  CHECK(plan(clone, observed) == Step{Mark{.restore_from = "uid-s"}});
}

TEST_CASE("gate volumeid: volumeID comes with the end of the restore [R-ONLINE-4]",
          "[reconciler][online]") {
  LogicalVolume clone = new_clone();
  clone.marked = clone.held = true;
  clone.restore_from = "uid-s";
  Observed observed{.looked_up = true,
                    .size = kWanted,
                    .source = snapshot_source(std::nullopt),
                    .online = enabled(RestoreGate::kVolumeId)};
  const VolumeStatus pending = written(plan(clone, observed));
  CHECK(pending.volume_id.empty());
  CHECK(pending.current_size == kWanted);
  REQUIRE(pending.snapshot.has_value());
  CHECK(condition_in(pending, "Ready").status.empty());

  clone.status = pending;
  clone.status.snapshot->repository = kRepository;
  clone.status.snapshot->storage = kStorage;
  SECTION("no PersistentVolume is waited for") {
    CHECK(plan(clone, {.online = enabled(RestoreGate::kVolumeId)}) == Step{FindStorage{kStorage}});
  }
  SECTION("the end tells the volume") {
    clone.status.snapshot->phase = SnapshotPhase::kRunning;
    const VolumeStatus done = written(plan(clone, {.online = enabled(RestoreGate::kVolumeId),
                                                   .transfer = ended(TransferPhase::kSucceeded)}));
    CHECK(done.volume_id == "uid-r");
    CHECK(condition_in(done, "Ready").status == "True");
    CHECK(condition_in(done, "RestoreReady").status == "True");
  }
  SECTION("a failure tells none") {
    clone.status.snapshot->phase = SnapshotPhase::kRunning;
    const VolumeStatus done = written(
        plan(clone, {.online = enabled(RestoreGate::kVolumeId), .transfer = failed(false)}));
    CHECK(done.volume_id.empty());
    CHECK(done.code == 0);
  }
  SECTION("under the other gate it is told at once") {
    const VolumeStatus told = written(plan(clone, {.online = enabled()}));
    CHECK(told.volume_id == "uid-r");
    CHECK(told.snapshot == clone.status.snapshot);
  }
}

// ---- performSnapshotBackup()

TEST_CASE("backup: an online snapshot becomes Pending once its volume is there [R-ONLINE-5]",
          "[reconciler][online]") {
  const LogicalVolume snapshot = snapshot_object();
  CHECK(plan(snapshot, {.online = enabled()}) == Step{FindSnapshotClass{.of_source = false}});
  SECTION("should perform backup: yes") {
    const VolumeStatus status = written(
        plan(snapshot, {.online = enabled(), .own_class = LookedUp<SnapshotClass>{kOnline}}));
    REQUIRE(status.snapshot.has_value());
    CHECK(status.snapshot->operation == Operation::kBackup);
    CHECK(status.snapshot->phase == SnapshotPhase::kPending);
    CHECK(status.snapshot->storage == kStorage);
    CHECK(status.snapshot->backup_id == "uid-s");
    CHECK(status.volume_id == "uid-s");
  }
  SECTION("no") {
    CHECK(plan(snapshot, {.online = enabled(), .own_class = LookedUp<SnapshotClass>{}}) ==
          Step{Nothing{}});
  }
  SECTION("the volume is grown first, as ever") {
    LogicalVolume small = snapshot;
    small.status.current_size = Bytes{4096};
    CHECK(plan(small, {.online = enabled()}) == Step{Resize{kWanted}});
  }
  SECTION("a volume without a source has no class") {
    LogicalVolume plain = snapshot;
    plain.spec.source.clear();
    CHECK(plan(plain, {.online = enabled()}) == Step{Nothing{}});
  }
}

TEST_CASE("backup: the repository is the claim's, and on the object before it begins [R-ONLINE-9]",
          "[reconciler][online]") {
  LogicalVolume snapshot = backed_up(SnapshotPhase::kPending);
  snapshot.status.snapshot->repository.clear();
  Observed observed{.online = enabled()};
  CHECK(plan(snapshot, observed) == Step{FindStorage{kStorage}});
  observed.storage_location = kBase + "/";
  CHECK(plan(snapshot, observed) == Step{FindSource{}});
  observed.source = origin_source();
  CHECK(plan(snapshot, observed) == Step{FindVolume{"pvc-1"}});
  observed.persistent_volume = LookedUp<PersistentVolume>{};
  CHECK(step_of<TransferUnmet>(plan(snapshot, observed)).error.reason == "NO_PERSISTENT_VOLUME");
  observed.persistent_volume->found =
      PersistentVolume{.claim_namespace = "shop", .claim_name = "data"};
  const SnapshotStatus named = snapshot_in(plan(snapshot, observed));
  CHECK(named.repository == kRepository);
  CHECK(named.phase == SnapshotPhase::kPending);
}

TEST_CASE("backup: Pending is started, and runs [R-ONLINE-5, R-ONLINE-6]", "[reconciler][online]") {
  const LogicalVolume snapshot = backed_up(SnapshotPhase::kPending);
  CHECK(plan(snapshot, {.online = enabled()}) == Step{FindStorage{kStorage}});
  CHECK(plan(snapshot, {.online = enabled(), .storage_location = kBase}) == Step{StartBackup{}});
  const SnapshotStatus now =
      snapshot_in(plan(snapshot, {.online = enabled(), .transfer = running()}));
  CHECK(now.phase == SnapshotPhase::kRunning);
  CHECK(now.start_time == "1970-01-01T00:16:40Z");
  CHECK(now.message == "copying");
}

TEST_CASE("backup: one that has succeeded at once was running before [R-ONLINE-6]",
          "[reconciler][online]") {
  const LogicalVolume snapshot = backed_up(SnapshotPhase::kPending);
  const Observed observed{.online = enabled(), .transfer = ended(TransferPhase::kSucceeded)};
  LogicalVolume next = snapshot;
  next.status = written(plan(snapshot, observed));
  CHECK(next.status.snapshot->phase == SnapshotPhase::kRunning);
  CHECK(snapshot_in(plan(next, observed)).phase == SnapshotPhase::kSucceeded);
}

TEST_CASE("credentials go to a repository of their storage alone [R-ONLINE-9]",
          "[reconciler][online]") {
  const auto repository =
      GENERATE(as<std::string>{}, "s3:https://evil/bucket/shop/data", "s3:https://minio/bucket2/x",
               "s3:https://minio/bucket/../other", "rest:https://evil/");
  INFO(repository);
  LogicalVolume snapshot = backed_up(SnapshotPhase::kPending);
  snapshot.status.snapshot->repository = repository;
  const Step step = plan(snapshot, {.online = enabled(), .storage_location = kBase});
  CHECK(step_of<TransferUnmet>(step).error.reason == "FOREIGN_REPOSITORY");
}

TEST_CASE("is operation running? Then it is asked for, and waited for [R-ONLINE-7]",
          "[reconciler][online]") {
  LogicalVolume snapshot = backed_up(SnapshotPhase::kRunning);
  CHECK(plan(snapshot, {.online = enabled()}) == Step{FollowTransfer{Operation::kBackup}});
  snapshot.status = with_snapshot(snapshot, advance(*snapshot.status.snapshot, running(10)));
  SECTION("nothing new") {
    CHECK(plan(snapshot, {.online = enabled(), .transfer = running(10), .progress_due = true}) ==
          Step{AwaitTransfer{Operation::kBackup}});
  }
  SECTION("newer progress, told a moment ago") {
    CHECK(plan(snapshot, {.online = enabled(), .transfer = running(20)}) ==
          Step{AwaitTransfer{Operation::kBackup}});
  }
  SECTION("newer progress, told long ago") {
    const SnapshotStatus now = snapshot_in(
        plan(snapshot, {.online = enabled(), .transfer = running(20), .progress_due = true}));
    REQUIRE(now.progress.has_value());
    CHECK(now.progress->done_bytes == 20);
    CHECK(percentage_of(*now.progress) == 20);
  }
  SECTION("a volume that is copied is not grown meanwhile") {
    snapshot.spec.size = "2Gi";
    CHECK(plan(snapshot, {.online = enabled()}) == Step{FollowTransfer{Operation::kBackup}});
  }
}

TEST_CASE("an lvmd that doesn't know a running transfer is told to begin it again [R-ONLINE-10]",
          "[reconciler][online]") {
  const LogicalVolume snapshot = backed_up(SnapshotPhase::kRunning);
  Observed observed{.online = enabled(), .transfer_unknown = true};
  CHECK(plan(snapshot, observed) == Step{FindStorage{kStorage}});
  observed.storage_location = kBase;
  CHECK(plan(snapshot, observed) == Step{StartBackup{}});
  observed.transfer = running();
  observed.transfer_unknown = false;
  CHECK(snapshot_in(plan(snapshot, observed)).phase == SnapshotPhase::kRunning);
}

TEST_CASE("backup: execute succeeded [R-ONLINE-5, R-ONLINE-7]", "[reconciler][online]") {
  LogicalVolume snapshot = backed_up(SnapshotPhase::kRunning);
  Transfer transfer = ended(TransferPhase::kSucceeded);
  transfer.snapshot_id = "4bba301e";
  Observed observed{.online = enabled(), .transfer = transfer};
  snapshot.status = written(plan(snapshot, observed));
  const SnapshotStatus& done = *snapshot.status.snapshot;
  CHECK(done.phase == SnapshotPhase::kSucceeded);
  CHECK(done.completion_time == "1970-01-01T00:17:41Z");
  CHECK(done.duration == "1m1s");
  CHECK(done.snapshot_id == "4bba301e");
  CHECK(condition_in(snapshot.status, "BackupReady").status == "True");

  SECTION("its volume is removed, which a condition tells") {
    CHECK(plan(snapshot, {.online = enabled()}) == Step{RemoveSnapshotVolume{}});
    snapshot.status = written(plan(snapshot, {.online = enabled(), .cleaned = true}));
    CHECK(condition_in(snapshot.status, "LVMSnapshotCleaned").status == "True");
    CHECK(snapshot.status.volume_id == "uid-s");
    CHECK(plan(snapshot, {.online = enabled()}) == Step{Nothing{}});
  }
  SECTION("it never grows") {
    snapshot.spec.size = "2Gi";
    CHECK(plan(snapshot, {.online = enabled(), .cleaned = true}) !=
          Step{Resize{Bytes{2 * kWanted.value}}});
    CHECK(plan(snapshot, {}) == Step{Nothing{}});
  }
}

TEST_CASE("a stored snapshot is told of, and is no volume that is missed [R-LEDG-2]",
          "[reconciler][online]") {
  CHECK(is_stored(backed_up(SnapshotPhase::kSucceeded)));
  CHECK_FALSE(is_stored(backed_up(SnapshotPhase::kRunning)));
  CHECK_FALSE(is_stored(backed_up(SnapshotPhase::kFailed)));
  CHECK_FALSE(is_stored(restored(SnapshotPhase::kSucceeded)));
  CHECK_FALSE(is_stored(snapshot_object()));
}

// ---- performSnapshotRestore()

TEST_CASE("restore: the PersistentVolume is waited for [R-ONLINE-3]", "[reconciler][online]") {
  LogicalVolume volume = restored(SnapshotPhase::kPending);
  Observed observed{.online = enabled()};
  SECTION("spec.name is empty") {
    volume.spec.name.clear();
    observed.persistent_volume = LookedUp<PersistentVolume>{};
    CHECK(step_of<TransferUnmet>(plan(volume, observed)).error.code == Code::kFailedPrecondition);
  }
  SECTION("it is looked for") { CHECK(plan(volume, observed) == Step{FindVolume{"pvc-2"}}); }
  SECTION("not found") {
    observed.persistent_volume = LookedUp<PersistentVolume>{};
    CHECK(step_of<TransferUnmet>(plan(volume, observed)).error.code == Code::kUnavailable);
  }
  SECTION("exists") {
    observed.persistent_volume = LookedUp<PersistentVolume>{PersistentVolume{}};
    CHECK(plan(volume, observed) == Step{FindStorage{kStorage}});
    observed.storage_location = kBase;
    CHECK(plan(volume, observed) == Step{StartRestore{}});
  }
}

TEST_CASE("restore: from where the source's backup is, once that is stored [R-ONLINE-3]",
          "[reconciler][online]") {
  LogicalVolume volume = restored(SnapshotPhase::kPending);
  volume.status.snapshot->repository.clear();
  volume.status.snapshot->storage = {};
  Observed observed{.online = enabled(),
                    .persistent_volume = LookedUp<PersistentVolume>{PersistentVolume{}}};
  CHECK(plan(volume, observed) == Step{FindSource{}});
  SECTION("its backup is on its way") {
    observed.source = snapshot_source(transfer_status(Operation::kBackup, SnapshotPhase::kRunning));
    const Error error = step_of<TransferUnmet>(plan(volume, observed)).error;
    CHECK(error.code == Code::kUnavailable);
    CHECK(error.reason == "SOURCE_NOT_STORED");
  }
  SECTION("it has none yet") {
    observed.source = snapshot_source(std::nullopt);
    CHECK(step_of<TransferUnmet>(plan(volume, observed)).error.code == Code::kUnavailable);
  }
  SECTION("it is there") {
    SnapshotStatus backup = transfer_status(Operation::kBackup, SnapshotPhase::kSucceeded);
    backup.snapshot_id = "4bba301e";
    observed.source = snapshot_source(backup);
    const SnapshotStatus named = snapshot_in(plan(volume, observed));
    CHECK(named.repository == kRepository);
    CHECK(named.storage == kStorage);
    CHECK(named.snapshot_id == "4bba301e");
    CHECK(named.backup_id == "uid-s");
  }
  SECTION("it is gone") {
    observed.source = Source{};
    CHECK(step_of<TransferUnmet>(plan(volume, observed)).error.code == Code::kNotFound);
  }
}

TEST_CASE("restore: complete, running, succeeded, failed [R-ONLINE-6]", "[reconciler][online]") {
  const Observed observed{.online = enabled()};
  SECTION("is operation complete? Succeeded: nothing") {
    CHECK(plan(restored(SnapshotPhase::kSucceeded), observed) == Step{Nothing{}});
  }
  SECTION("is operation running?") {
    CHECK(plan(restored(SnapshotPhase::kRunning), observed) ==
          Step{FollowTransfer{Operation::kRestore}});
  }
  SECTION("execute: success") {
    const VolumeStatus status =
        written(plan(restored(SnapshotPhase::kRunning),
                     {.online = enabled(), .transfer = ended(TransferPhase::kSucceeded)}));
    CHECK(status.snapshot->phase == SnapshotPhase::kSucceeded);
    CHECK(condition_in(status, "RestoreReady").status == "True");
  }
  SECTION("execute: failed") {
    const VolumeStatus status = written(
        plan(restored(SnapshotPhase::kRunning), {.online = enabled(), .transfer = failed(false)}));
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

TEST_CASE(
    "a restore of which nothing is known any more is not begun on a volume in use "
    "[R-ONLINE-2]",
    "[reconciler][online]") {
  LogicalVolume volume = restored(SnapshotPhase::kSucceeded);
  volume.status.snapshot.reset();
  CHECK(step_of<TransferUnmet>(plan(volume, {.online = enabled()})).error.reason ==
        "RESTORE_UNKNOWN");
}

// ---- Error handling

TEST_CASE("a refused start is Failed without having run [R-ONLINE-6]", "[reconciler][online]") {
  const LogicalVolume snapshot = backed_up(SnapshotPhase::kPending);
  const auto refused = refused_transfer(
      Operation::kBackup, make_error(Code::kFailedPrecondition, "restic 0.14 is too old"));
  REQUIRE(refused.has_value());
  const VolumeStatus status = written(plan(snapshot, {.online = enabled(), .transfer = *refused}));
  CHECK(status.snapshot->phase == SnapshotPhase::kFailed);
  REQUIRE(status.snapshot->error.has_value());
  CHECK(status.snapshot->error->code == "SnapshotExecutionFailed");
  CHECK(status.snapshot->error->message == "restic 0.14 is too old");
  CHECK(condition_in(status, "BackupReady").reason == "FailedPrecondition");
}

TEST_CASE("what is only a matter of waiting is no failure", "[reconciler][online]") {
  for (const Code code : {Code::kUnavailable, Code::kResourceExhausted, Code::kUnimplemented,
                          Code::kDeadlineExceeded, Code::kAborted})
    CHECK_FALSE(refused_transfer(Operation::kBackup, make_error(code, "x")).has_value());
}

TEST_CASE(
    "execution error: Failed, with lvmd's code and message, and no code of the volume "
    "[R-ONLINE-7]",
    "[reconciler][online]") {
  for (const char* const code :
       {"VolumeMountFailed", "VolumeBindMountFailed", "SnapshotExecutionFailed"}) {
    INFO(code);
    Transfer transfer = failed(false);
    transfer.error->code = code;
    const VolumeStatus status = written(
        plan(backed_up(SnapshotPhase::kRunning), {.online = enabled(), .transfer = transfer}));
    REQUIRE(status.snapshot->error.has_value());
    CHECK(status.snapshot->error->code == code);
    CHECK(status.snapshot->error->message == "no route to minio");
    CHECK(status.code == 0);
    CHECK(status.message.empty());
    CHECK(condition_in(status, "BackupReady").reason == "RepositoryUnreachable");
  }
}

TEST_CASE("a cancelled transfer has failed", "[reconciler][online]") {
  const SnapshotStatus snapshot =
      snapshot_in(plan(backed_up(SnapshotPhase::kRunning),
                       {.online = enabled(), .transfer = ended(TransferPhase::kCancelled)}));
  CHECK(snapshot.phase == SnapshotPhase::kFailed);
  CHECK_FALSE(snapshot.error->transient);
}

TEST_CASE("Failed is Pending again after a passing cause, ten times [R-ONLINE-6]",
          "[reconciler][online]") {
  CHECK(plan(failed_backup(true), {.online = enabled()}) == Step{AwaitRetry{1}});
  const SnapshotStatus again =
      snapshot_in(plan(failed_backup(true), {.online = enabled(), .retry_due = true}));
  CHECK(again.phase == SnapshotPhase::kPending);
  CHECK(again.attempts == 2);
  CHECK(again.repository == kRepository);
  CHECK_FALSE(again.error.has_value());
  CHECK(plan(failed_backup(true, 10), {.online = enabled()}) == Step{AwaitRetry{10}});
  CHECK(plan(failed_backup(true, 11), {.online = enabled(), .retry_due = true}) == Step{Nothing{}});
  CHECK(plan(failed_backup(false), {.online = enabled(), .retry_due = true}) == Step{Nothing{}});
}

TEST_CASE("a changed annotation asks for a failed transfer again [R-ONLINE-6]",
          "[reconciler][online]") {
  LogicalVolume snapshot = failed_backup(GENERATE(false, true), 11);
  snapshot.annotations["lvmd.io/retry-requested-at"] = "now";
  snapshot.status.snapshot = snapshot_in(plan(snapshot, {.online = enabled()}));
  CHECK(snapshot.status.snapshot->phase == SnapshotPhase::kPending);
  CHECK(snapshot.status.snapshot->attempts == 1);
  SECTION("once") {
    snapshot.status.snapshot->phase = SnapshotPhase::kFailed;
    CHECK(plan(snapshot, {.online = enabled()}) == Step{Nothing{}});
  }
  SECTION("never from Succeeded") {
    snapshot = backed_up(SnapshotPhase::kSucceeded);
    snapshot.annotations["lvmd.io/retry-requested-at"] = "now";
    CHECK(plan(snapshot, {.online = enabled()}) == Step{RemoveSnapshotVolume{}});
  }
}

TEST_CASE("what a transfer waits for is told in its condition, and never in code",
          "[reconciler][online]") {
  const Error error =
      make_error(Code::kFailedPrecondition, "no such key").because("NO_CREDENTIALS");
  const auto [volume, type] = GENERATE(table<LogicalVolume, std::string>(
      {{backed_up(SnapshotPhase::kPending), "BackupReady"},
       {backed_up(SnapshotPhase::kSucceeded), "LVMSnapshotCleaned"},
       {restored(SnapshotPhase::kPending), "RestoreReady"},
       {removed(backed_up(SnapshotPhase::kSucceeded)), "SnapshotDeleteEnsured"}}));
  const VolumeStatus status = held_up_status(volume, error);
  CHECK(condition_in(status, type).status == "False");
  CHECK(condition_in(status, type).reason == "NoCredentials");
  CHECK(status.code == 0);
  CHECK(status.snapshot->phase == volume.status.snapshot->phase);
}

// ---- Finalization

TEST_CASE("finalization: no finalizer, or nothing that was begun [R-ONLINE-8]",
          "[reconciler][online]") {
  const Observed observed{.online = enabled()};
  LogicalVolume unheld = removed(backed_up(SnapshotPhase::kSucceeded));
  unheld.held = false;
  CHECK(plan(unheld, observed) == Step{Nothing{}});
  CHECK(plan(removed(snapshot_object()), observed) == Step{Remove{}});
  LogicalVolume unnamed = removed(backed_up(SnapshotPhase::kPending));
  unnamed.status.snapshot->repository.clear();
  CHECK(plan(unnamed, observed) == Step{Remove{}});
}

TEST_CASE("finalization of a backup: cancel, delete, RemoveLV, let go [R-ONLINE-8]",
          "[reconciler][online]") {
  LogicalVolume snapshot = removed(backed_up(SnapshotPhase::kRunning));
  CHECK(plan(snapshot, {.online = enabled()}) == Step{CancelTransfer{Operation::kBackup}});
  SECTION("it takes its time to end") {
    CHECK(plan(snapshot, {.online = enabled(), .transfer = running()}) ==
          Step{AwaitTransfer{Operation::kBackup}});
  }
  SECTION("it is over") {
    const Observed over =
        GENERATE(Observed{.online = enabled(), .transfer = ended(TransferPhase::kCancelled)},
                 Observed{.online = enabled(), .transfer_unknown = true});
    const SnapshotStatus deletion = snapshot_in(plan(snapshot, over));
    CHECK(deletion.operation == Operation::kDelete);
    CHECK(deletion.phase == SnapshotPhase::kPending);
    CHECK(deletion.repository == kRepository);
    CHECK(deletion.storage == kStorage);
    CHECK(deletion.backup_id == "uid-s");
  }
  SECTION("there is nothing to cancel") {
    for (const SnapshotPhase phase : {SnapshotPhase::kSucceeded, SnapshotPhase::kFailed})
      CHECK(snapshot_in(plan(removed(backed_up(phase)), {.online = enabled()})).operation ==
            Operation::kDelete);
  }
}

TEST_CASE("finalization: the stored backup goes before the finalizer [R-ONLINE-8]",
          "[reconciler][online]") {
  LogicalVolume snapshot = removed(backed_up(SnapshotPhase::kSucceeded));
  snapshot.status = written(plan(snapshot, {.online = enabled()}));
  CHECK(condition_in(snapshot.status, "SnapshotDeleteEnsured").status == "Unknown");
  CHECK(plan(snapshot, {.online = enabled()}) == Step{FindStorage{kStorage}});
  CHECK(plan(snapshot, {.online = enabled(), .storage_location = kBase}) == Step{DeleteBackup{}});
  snapshot.status = written(plan(snapshot, {.online = enabled(), .transfer = running()}));
  CHECK(condition_in(snapshot.status, "SnapshotDeleteEnsured").reason == "SnapshotDeleteRunning");
  CHECK(plan(snapshot, {.online = enabled()}) == Step{FollowTransfer{Operation::kDelete}});
  SECTION("deleted") {
    snapshot.status = written(
        plan(snapshot, {.online = enabled(), .transfer = ended(TransferPhase::kSucceeded)}));
    CHECK(condition_in(snapshot.status, "SnapshotDeleteEnsured").status == "True");
    CHECK(plan(snapshot, {.online = enabled()}) == Step{Remove{}});
    CHECK(plan(snapshot, {.removed = true, .online = enabled()}) == Step{Release{}});
  }
  SECTION("failed: it is tried for ever, whatever the cause") {
    snapshot.status = written(plan(snapshot, {.online = enabled(), .transfer = failed(false)}));
    snapshot.status.snapshot->attempts = 100;
    CHECK(plan(snapshot, {.online = enabled()}) == Step{AwaitRetry{100}});
    CHECK(snapshot_in(plan(snapshot, {.online = enabled(), .retry_due = true})).phase ==
          SnapshotPhase::kPending);
  }
  SECTION("abandoned: the object goes without it") {
    snapshot.annotations["lvmd.io/abandon"] = "true";
    CHECK(plan(snapshot, {.online = enabled()}) == Step{Abandon{}});
  }
}

TEST_CASE("finalization of a restored volume: cancel, RemoveLV, let go [R-ONLINE-8]",
          "[reconciler][online]") {
  const LogicalVolume volume = removed(restored(SnapshotPhase::kRunning));
  CHECK(plan(volume, {.online = enabled()}) == Step{CancelTransfer{Operation::kRestore}});
  CHECK(plan(volume, {.online = enabled(), .transfer = running()}) ==
        Step{AwaitTransfer{Operation::kRestore}});
  CHECK(plan(volume, {.online = enabled(), .transfer = ended(TransferPhase::kCancelled)}) ==
        Step{Remove{}});
  CHECK(plan(removed(restored(SnapshotPhase::kSucceeded)), {.online = enabled()}) ==
        Step{Remove{}});
}

TEST_CASE("the cleaned snapshot of a backup that is to go is no removal of the object",
          "[reconciler][online]") {
  const LogicalVolume snapshot = removed(backed_up(SnapshotPhase::kSucceeded));
  CHECK(snapshot_in(plan(snapshot, {.online = enabled(), .cleaned = true})).operation ==
        Operation::kDelete);
}
