#pragma once

#include "reconciler/lvmd_client/transfer_service.hpp"
#include "reconciler/model/backup_location_store.hpp"
#include "reconciler/model/snapshot_catalog.hpp"
#include "reconciler/snapshots/online_snapshot.hpp"

namespace lvmd::reconciler {

// What online snapshots need in addition to the volumes [R-ONLINE-1]. Transfers and catalog are
// both set or both null.
struct OnlineServices {
  TransferService* transfers = nullptr;
  SnapshotCatalog* catalog = nullptr;
  RestoreGate gate = RestoreGate::kPhase;
  // Null in a store without objects for backup locations: no location is checked [R-STORE-1].
  BackupLocationStore* backup_locations = nullptr;

  [[nodiscard]] bool are_enabled() const { return transfers != nullptr && catalog != nullptr; }
};

}  // namespace lvmd::reconciler
