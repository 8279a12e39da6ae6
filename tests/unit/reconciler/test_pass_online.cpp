// A pass over a snapshot that is stored, and over a volume that is restored from it.
#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "reconciler/run/pass.hpp"
#include "reconciler/run/transfer_follower.hpp"
#include "tests/unit/reconciler/fake_store.hpp"
#include "tests/unit/reconciler/fake_transfers.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

namespace {

using Calls = std::vector<std::string>;
constexpr Bytes kGi{1073741824};
const std::string kRepository = "s3:https://minio/bucket/shop/data";

struct World {
  FakeStore store;
  FakeService service;
  FakeTransfers transfers;
  FakeCatalog catalog;
  std::stop_source stop;
  // As the last pass left it.
  Progress progress;
  std::chrono::milliseconds wait{0};
  std::optional<TransferName> awaited;

  World() {
    catalog.storage =
        Storage{.location = "s3:https://minio/bucket", .credentials = {.password = "p"}};
    catalog.classes["snapshot-1"] = {.mode = "online",
                                     .storage = {.scope = "backups", .name = "s3"}};
    catalog.volumes["pvc-1"] = {.claim_namespace = "shop", .claim_name = "data"};
  }

  // The object is a snapshot of the volume of "origin".
  void be_snapshot() {
    store.object = object("snapshot-1", "uid-s", "origin", "ro");
    LogicalVolume origin = object("pvc-1", "uid-o", "", "");
    origin.status.volume_id = "uid-o";
    origin.status.current_size = kGi;
    origin.key.name = "origin";
    store.others[origin.key] = origin;
  }

  // The object is a volume made from the snapshot "snapshot-1".
  void be_restored() {
    store.object = object("pvc-2", "uid-r", "snapshot-1", "rw");
    LogicalVolume source = object("snapshot-1", "uid-s", "origin", "ro");
    source.status.volume_id = "uid-s";
    source.status.current_size = kGi;
    source.status.snapshot = SnapshotStatus{.operation = Operation::kBackup,
                                            .phase = SnapshotPhase::kSucceeded,
                                            .repository = kRepository,
                                            .storage = {.scope = "backups", .name = "s3"},
                                            .snapshot_id = "4bba301e",
                                            .backup_id = "uid-s"};
    store.others[source.key] = source;
    catalog.volumes["pvc-2"] = {.claim_namespace = "shop", .claim_name = "copy"};
  }

  static LogicalVolume object(const std::string& name, const std::string& uid,
                              const std::string& source, const std::string& access_type) {
    LogicalVolume volume;
    volume.key.name = name;
    volume.uid = uid;
    volume.spec = {.name = name,
                   .size = "1Gi",
                   .device_class = "ssd",
                   .source = source,
                   .access_type = access_type};
    return volume;
  }

  Outcome pass(unsigned failures = 0) {
    store.calls.clear();
    service.calls.clear();
    transfers.calls.clear();
    catalog.calls.clear();
    progress.seen = store.object;
    progress.failures = failures;
    Pass pass{store,      service,
              progress,   stop.get_token(),
              Mode::kAct, {.transfers = &transfers, .catalog = &catalog, .gate = gate}};
    const Outcome outcome = pass.run();
    progress = pass.progress();
    wait = pass.wait();
    awaited = pass.awaited();
    return outcome;
  }
  RestoreGate gate = RestoreGate::kPhase;

  [[nodiscard]] SnapshotStatus snapshot() const {
    REQUIRE(store.object.status.snapshot.has_value());
    return *store.object.status.snapshot;
  }
  [[nodiscard]] Condition condition(std::string_view type) const {
    const Condition* const found = find_condition(store.object.status.conditions, type);
    return found == nullptr ? Condition{} : *found;
  }

  void begin_backup() {
    be_snapshot();
    REQUIRE(pass() == Outcome::kWaiting);
  }
};

}  // namespace

TEST_CASE("an online snapshot is made, and its backup begun, in one pass [R-ONLINE-5]",
          "[reconciler][online]") {
  World world;
  world.be_snapshot();
  CHECK(world.pass() == Outcome::kWaiting);
  CHECK(world.service.calls == Calls{"find ssd", "snapshot uid-s of uid-o ro"});
  CHECK(world.transfers.calls == Calls{"backup uid-s at " + kRepository});
  CHECK(world.transfers.used.storage.credentials.password == "p");
  CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
  CHECK(world.snapshot().repository == kRepository);
  CHECK(world.store.object.status.volume_id == "uid-s");
  // A worker isn't held up by it [R-ONLINE-7].
  CHECK(world.wait == kProgressInterval);
  CHECK(world.awaited == TransferName{Operation::kBackup, "uid-s"});
}

TEST_CASE("a running backup costs one question, and no write without news [R-ONLINE-7]",
          "[reconciler][online]") {
  World world;
  world.begin_backup();
  world.transfers.of(Operation::kBackup, "uid-s").progress = {.total_bytes = 10, .done_bytes = 5};
  SECTION("told a moment ago") {
    CHECK(world.pass() == Outcome::kWaiting);
    CHECK(world.transfers.calls == Calls{"get uid-s"});
    CHECK(world.store.calls.empty());
  }
  SECTION("told five seconds ago") {
    world.progress.told_at -= kProgressInterval;
    CHECK(world.pass() == Outcome::kWaiting);
    CHECK(world.store.calls == Calls{"status"});
    CHECK(percentage_of(*world.snapshot().progress) == 50);
  }
}

TEST_CASE("a backup that has succeeded takes the local snapshot with it [R-ONLINE-5]",
          "[reconciler][online]") {
  World world;
  world.begin_backup();
  world.transfers.end(Operation::kBackup, "uid-s", TransferPhase::kSucceeded);
  CHECK(world.pass() == Outcome::kSettled);
  CHECK(world.service.calls == Calls{"remove uid-s"});
  CHECK(world.snapshot().phase == SnapshotPhase::kSucceeded);
  CHECK(world.condition("LVMSnapshotCleaned").status == "True");
  CHECK(world.store.events.back() == "BackupSucceeded");
  CHECK(world.pass() == Outcome::kSettled);
  CHECK(world.service.calls.empty());
  CHECK(world.store.calls.empty());
}

TEST_CASE("a snapshot volume that is in use stays, and its condition says so [R-ONLINE-5]",
          "[reconciler][online]") {
  World world;
  world.begin_backup();
  world.transfers.end(Operation::kBackup, "uid-s", TransferPhase::kSucceeded);
  world.service.error = make_error(Code::kFailedPrecondition, "in use").because("VOLUME_IN_USE");
  CHECK(world.pass() == Outcome::kRetry);
  CHECK(world.condition("LVMSnapshotCleaned").reason == "VolumeInUse");
  CHECK(world.store.object.status.code == 0);
  world.service.error.reset();
  CHECK(world.pass(1) == Outcome::kSettled);
  CHECK(world.condition("LVMSnapshotCleaned").status == "True");
}

TEST_CASE("a transfer that lvmd doesn't know any more is begun again [R-ONLINE-10]",
          "[reconciler][online]") {
  World world;
  world.begin_backup();
  world.transfers.known.clear();
  CHECK(world.pass() == Outcome::kWaiting);
  CHECK(world.transfers.calls == Calls{"get uid-s", "backup uid-s at " + kRepository});
  CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
}

TEST_CASE("while lvmd is away a running transfer is waited for, and nothing is told [R-FAIL-9]",
          "[reconciler][online]") {
  World world;
  world.begin_backup();
  world.transfers.error =
      make_error(Code::kUnavailable, "nobody there").because("LVMD_UNREACHABLE");
  CHECK(world.pass() == Outcome::kWaiting);
  CHECK(world.wait == kProgressInterval);
  CHECK(world.store.calls.empty());
}

TEST_CASE("a passing failure is tried again when its time has come [R-ONLINE-6]",
          "[reconciler][online]") {
  World world;
  world.begin_backup();
  world.transfers.end(Operation::kBackup, "uid-s", TransferPhase::kFailed);
  CHECK(world.pass() == Outcome::kWaiting);
  CHECK(world.snapshot().phase == SnapshotPhase::kFailed);
  CHECK(world.wait > std::chrono::milliseconds{0});
  CHECK(world.wait <= std::chrono::milliseconds{600});
  CHECK(world.pass() == Outcome::kWaiting);  // Not yet.
  CHECK(world.store.calls.empty());
  REQUIRE(world.progress.retry_at.has_value());
  world.progress.retry_at = Progress::Clock::now();
  CHECK(world.pass() == Outcome::kWaiting);
  CHECK(world.transfers.calls == Calls{"backup uid-s at " + kRepository});
  CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
  CHECK(world.snapshot().attempts == 2);
}

TEST_CASE("a refused start has failed; one without a free place waits [R-ONLINE-6]",
          "[reconciler][online]") {
  World world;
  world.be_snapshot();
  SECTION("refused") {
    world.transfers.refusal = make_error(Code::kFailedPrecondition, "no restic");
    CHECK(world.pass() == Outcome::kSettled);
    CHECK(world.snapshot().phase == SnapshotPhase::kFailed);
    CHECK_FALSE(world.snapshot().completion_time.empty());
  }
  SECTION("no place") {
    world.transfers.refusal = make_error(Code::kResourceExhausted, "2 transfers run");
    CHECK(world.pass() == Outcome::kRetry);
    CHECK(world.snapshot().phase == SnapshotPhase::kPending);
    CHECK(world.snapshot().message == "2 transfers run");
    CHECK(world.store.object.status.code == 0);
    world.transfers.refusal.reset();
    CHECK(world.pass(1) == Outcome::kWaiting);
    CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
  }
  SECTION("known under other words") {
    world.transfers.of(Operation::kBackup, "uid-s").phase = TransferPhase::kRunning;
    world.transfers.refusal = make_error(Code::kAlreadyExists, "another one");
    CHECK(world.pass() == Outcome::kWaiting);
    CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
  }
}

TEST_CASE("a look-up that fails is no answer: nothing is made [R-ONLINE-1]",
          "[reconciler][online]") {
  World world;
  world.be_restored();
  world.catalog.error = make_error(Code::kUnavailable, "API server: HTTP 403");
  CHECK(world.pass(1) == Outcome::kRetry);
  CHECK(world.service.calls == Calls{"find ssd"});
  CHECK(world.store.calls == Calls{"read snapshot-1", "status"});
  CHECK(world.store.object.status.code == 0);
  CHECK(world.condition("Ready").status == "False");
}

TEST_CASE("a storage that isn't there yet is waited for [R-ONLINE-9]", "[reconciler][online]") {
  World world;
  world.be_snapshot();
  world.catalog.storage.reset();
  CHECK(world.pass(1) == Outcome::kRetry);
  CHECK(world.condition("BackupReady").reason == "NoStorage");
  CHECK(world.snapshot().phase == SnapshotPhase::kPending);
}

TEST_CASE("a volume is restored: made empty, then filled [R-ONLINE-3]", "[reconciler][online]") {
  World world;
  world.be_restored();
  CHECK(world.pass() == Outcome::kWaiting);
  CHECK(world.service.calls == Calls{"find ssd", "create uid-r "});
  CHECK(world.transfers.calls == Calls{"restore uid-r at " + kRepository});
  CHECK(world.transfers.used_backup == "uid-s");
  CHECK(world.transfers.used_snapshot.empty());
  CHECK(world.store.object.status.volume_id == "uid-r");
  CHECK(world.snapshot().phase == SnapshotPhase::kRunning);
  world.transfers.end(Operation::kRestore, "uid-r", TransferPhase::kSucceeded);
  CHECK(world.pass() == Outcome::kSettled);
  CHECK(world.condition("RestoreReady").status == "True");
}

TEST_CASE("without its PersistentVolume a restore doesn't begin [R-ONLINE-3]",
          "[reconciler][online]") {
  World world;
  world.be_restored();
  world.catalog.volumes.clear();
  CHECK(world.pass() == Outcome::kRetry);
  CHECK(world.transfers.calls.empty());
  CHECK(world.store.object.status.volume_id == "uid-r");
  CHECK(world.snapshot().phase == SnapshotPhase::kPending);
  SECTION("under the gate volumeid it does [R-ONLINE-4]") {
    World held;
    held.be_restored();
    held.catalog.volumes.clear();
    held.gate = RestoreGate::kVolumeId;
    CHECK(held.pass() == Outcome::kWaiting);
    CHECK(held.store.object.status.volume_id.empty());
    held.transfers.end(Operation::kRestore, "uid-r", TransferPhase::kSucceeded);
    CHECK(held.pass() == Outcome::kSettled);
    CHECK(held.store.object.status.volume_id == "uid-r");
  }
}

TEST_CASE("one object's decision is not another's [R-ONLINE-11]", "[reconciler][online]") {
  World restored;
  restored.be_restored();
  REQUIRE(restored.pass() == Outcome::kWaiting);
  // The same services, another object: a plain volume.
  restored.store.object = World::object("pvc-3", "uid-p", "", "");
  restored.progress = {};
  CHECK(restored.pass() == Outcome::kSettled);
  CHECK(restored.catalog.calls.empty());
  CHECK_FALSE(restored.store.object.status.snapshot.has_value());
}

TEST_CASE("an object with a backup goes after what is stored [R-ONLINE-8]",
          "[reconciler][online]") {
  World world;
  world.begin_backup();
  world.store.object.removal_wanted = true;
  CHECK(world.pass() == Outcome::kWaiting);
  CHECK(world.transfers.calls == Calls{"cancel uid-s", "delete uid-s at " + kRepository});
  CHECK(world.transfers.used_backup == "uid-s");
  CHECK(world.snapshot().operation == Operation::kDelete);
  CHECK(world.store.exists);
  SECTION("deleted") {
    world.transfers.end(Operation::kDelete, "uid-s", TransferPhase::kSucceeded);
    CHECK(world.pass() == Outcome::kGone);
    CHECK(world.service.calls == Calls{"remove uid-s"});
  }
  SECTION("it fails, and is tried again") {
    world.transfers.end(Operation::kDelete, "uid-s", TransferPhase::kFailed);
    CHECK(world.pass() == Outcome::kWaiting);
    CHECK(world.condition("SnapshotDeleteEnsured").status == "False");
    world.progress.retry_at = Progress::Clock::now();
    CHECK(world.pass() == Outcome::kWaiting);
    CHECK(world.transfers.calls == Calls{"delete uid-s at " + kRepository});
  }
  SECTION("abandoned") {
    world.store.object.annotations["lvmd.io/abandon"] = "true";
    CHECK(world.pass() == Outcome::kGone);
    CHECK(world.service.calls.empty());
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
  World world;
  world.be_snapshot();
  store.object = world.store.object;
  store.others = world.store.others;
  Pass pass{store,
            world.service,
            {.seen = store.object},
            world.stop.get_token(),
            Mode::kAct,
            {.transfers = &world.transfers, .catalog = &world.catalog}};
  CHECK(pass.run() == Outcome::kRetry);
  CHECK(world.transfers.calls.empty());
}

TEST_CASE("the end of a transfer wakes its object at once [R-ONLINE-7]", "[reconciler][online]") {
  FakeTransfers transfers;
  transfers.of(Operation::kBackup, "uid-s").phase = TransferPhase::kRunning;
  std::promise<Key> ended;
  TransferFollower follower{transfers, [&](const Key& key) { ended.set_value(key); }};
  const Key key{.name = "snapshot-1"};
  follower.follow(key, {Operation::kBackup, "uid-s"});
  follower.follow(key, {Operation::kBackup, "uid-s"});  // One stream: a second one would throw.
  transfers.end(Operation::kBackup, "uid-s", TransferPhase::kSucceeded);
  CHECK(ended.get_future().get() == key);
  transfers.stop();
}

TEST_CASE("a follower that is stopped leaves no stream behind", "[reconciler][online]") {
  FakeTransfers transfers;
  transfers.of(Operation::kBackup, "uid-s").phase = TransferPhase::kRunning;
  bool was_told = false;
  TransferFollower follower{transfers, [&](const Key&) { was_told = true; }};
  follower.follow({.name = "snapshot-1"}, {Operation::kBackup, "uid-s"});
  transfers.stop();
  follower.stop();
  CHECK_FALSE(was_told);
}

TEST_CASE("a restore that waits for its source's backup is tried again when that changes [R-SRC-5]",
          "[reconciler][online]") {
  World world;
  world.be_restored();
  world.store.others.begin()->second.status.snapshot.reset();
  world.catalog.classes["snapshot-1"].mode = "online";
  REQUIRE(world.pass() == Outcome::kRetry);
  CHECK(world.store.object.status.volume_id == "uid-r");
  CHECK(world.transfers.calls.empty());
  ProgressBook book;
  world.progress.failures = 1;
  book.note(world.progress);
  CHECK(book.waiting_for({.name = "snapshot-1"}) == std::vector<Key>{world.store.object.key});
  CHECK(book.waiting_for({.name = "snapshot-2"}).empty());
}
