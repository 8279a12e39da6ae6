// What lvmd and the store reported about an object's backup or restore since planning for it began.
#pragma once

#include <optional>
#include <string>

#include "reconciler/model/snapshot_class.hpp"
#include "reconciler/model/transfer.hpp"
#include "reconciler/snapshots/online_snapshot.hpp"

namespace lvmd::reconciler {

// The result of a look-up that succeeded. Absent in it: there is no such object.
template <typename T>
struct LookedUp {
  std::optional<T> found{};
};

// Empty at first: plan_snapshot() requests what it needs.
struct SnapshotObserved {
  // The other fields are used only while online snapshots are enabled.
  OnlineRules online{};
  // The snapshot classes of the source and of the object itself, after FindSnapshotClass.
  std::optional<LookedUp<SnapshotClass>> source_class{};
  std::optional<LookedUp<SnapshotClass>> own_class{};
  std::optional<LookedUp<PersistentVolume>> persistent_volume{};
  // LocationSettings::location, after FindBackupLocation.
  std::optional<std::string> location_base{};
  // As lvmd last reported it.
  std::optional<Transfer> transfer{};
  // lvmd does not know the transfer, or has forgotten it.
  bool transfer_unknown = false;
  // The last write of progress is long enough ago [R-ONLINE-7].
  bool progress_due = false;
  // The time before the next attempt is over [R-ONLINE-6].
  bool retry_due = false;
  // RemoveLV of a stored snapshot's volume returned OK or NOT_FOUND.
  bool cleaned = false;
};

}  // namespace lvmd::reconciler
