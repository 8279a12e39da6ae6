#pragma once

#include "reconciler/lvmd_client/transfer_service.hpp"
#include "reconciler/model/backup_location_store.hpp"
#include "reconciler/model/snapshot_catalog.hpp"
#include "reconciler/snapshots/online_snapshot.hpp"

namespace lvmd::reconciler {

// What online snapshots need beside the volumes [R-ONLINE-1]. Transfers and catalog: both or none.
struct OnlineServices {
  TransferService* transfers = nullptr;
  SnapshotCatalog* catalog = nullptr;
  RestoreGate gate = RestoreGate::kPhase;
  // Null where storages are no objects: then nobody checks them [R-STORE-1].
  BackupLocationStore* backup_locations = nullptr;

  [[nodiscard]] bool are_enabled() const { return transfers != nullptr && catalog != nullptr; }
};

}  // namespace lvmd::reconciler
