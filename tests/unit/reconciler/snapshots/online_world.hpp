// Reconciliations of a snapshot that is stored, and of a volume that is restored from it, in a
// world of fakes.
#pragma once

#include <catch2/catch.hpp>
#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "reconciler/app/reconciliation.hpp"
#include "tests/unit/reconciler/fake_store.hpp"
#include "tests/unit/reconciler/snapshots/fake_transfers.hpp"
#include "tests/unit/reconciler/snapshots/online_objects.hpp"

namespace lvmd::reconciler::test {

using Calls = std::vector<std::string>;

class OnlineWorld {
 public:
  FakeStore store;
  FakeService service;
  FakeTransfers transfers;
  FakeCatalog catalog;
  std::stop_source stop;
  // As the last reconciliation left it.
  ObjectProgress progress;
  std::chrono::milliseconds wait{0};
  std::optional<TransferName> awaited;

  OnlineWorld() {
    catalog.storage = LocationSettings{.location = kBase, .credentials = {.password = "p"}};
    catalog.classes["snapshot-1"] = kOnline;
    catalog.volumes["pvc-1"] = {.claim_namespace = "shop", .claim_name = "data"};
  }

  // The object is a snapshot of the volume of "origin".
  void be_snapshot() {
    store.object = object("snapshot-1", "uid-s", "origin", "ro");
    LogicalVolume origin = object("pvc-1", "uid-o", "", "");
    origin.status.volume_id = "uid-o";
    origin.status.current_size = kWanted;
    origin.key.name = "origin";
    store.others[origin.key] = origin;
  }

  // The object is a volume that is created from the snapshot "snapshot-1".
  void be_restored() {
    store.object = object("pvc-2", "uid-r", "snapshot-1", "rw");
    LogicalVolume source = object("snapshot-1", "uid-s", "origin", "ro");
    source.status.volume_id = "uid-s";
    source.status.current_size = kWanted;
    source.status.snapshot = SnapshotStatus{.operation = Operation::kBackup,
                                            .phase = SnapshotPhase::kSucceeded,
                                            .repository = kRepository,
                                            .storage = kStorage,
                                            .snapshot_id = "4bba301e",
                                            .backup_id = "uid-s",
                                            .version = "lvmd.v1"};
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

  ReconcileResult reconcile(unsigned failures = 0) {
    store.calls.clear();
    service.calls.clear();
    transfers.calls.clear();
    catalog.calls.clear();
    progress.seen = store.object;
    progress.failures = failures;
    Reconciliation reconciliation{
        store,      service,
        progress,   stop.get_token(),
        Mode::kAct, {.transfers = &transfers, .catalog = &catalog, .gate = gate}};
    const ReconcileResult outcome = reconciliation.run();
    progress = reconciliation.progress();
    wait = reconciliation.wait();
    awaited = reconciliation.awaited();
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
    REQUIRE(reconcile() == ReconcileResult::kWaiting);
  }
};

}  // namespace lvmd::reconciler::test
