#pragma once

#include "reconciler/lvmd_client/transfer_service.hpp"
#include "reconciler/plan/online_snapshot.hpp"
#include "reconciler/store/snapshot_catalog.hpp"

namespace lvmd::reconciler {

// What online snapshots need beside the volumes; both or none [R-ONLINE-1].
struct OnlineServices {
  TransferService* transfers = nullptr;
  SnapshotCatalog* catalog = nullptr;
  RestoreGate gate = RestoreGate::kPhase;

  [[nodiscard]] bool are_enabled() const { return transfers != nullptr && catalog != nullptr; }
};

}  // namespace lvmd::reconciler
