// What stands behind an online snapshot in the place where its object lives: its class, its
// PersistentVolume, its storage. Rules: R-ONLINE-1, R-ONLINE-9, R-ONLINE-12.
#pragma once

#include <optional>
#include <string>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"
#include "reconciler/model/snapshot_class.hpp"

namespace lvmd::reconciler {

// Every function may be called from every thread, and keeps nothing of what it reads: an answer is
// about one object alone [R-ONLINE-11]. An error is never an answer: Unavailable when it may be
// another one soon.
class SnapshotCatalog {
 public:
  SnapshotCatalog() = default;
  SnapshotCatalog(const SnapshotCatalog&) = delete;
  SnapshotCatalog& operator=(const SnapshotCatalog&) = delete;
  virtual ~SnapshotCatalog() = default;

  // The class behind a snapshot; absent: there is none.
  [[nodiscard]] virtual Result<std::optional<SnapshotClass>> find_class(
      const LogicalVolume& snapshot) = 0;

  // Absent: there is none of that name.
  [[nodiscard]] virtual Result<std::optional<PersistentVolume>> find_persistent_volume(
      const std::string& name) = 0;

  // The storage of `volume`'s transfer, with the credentials as they are now. Where storages are
  // objects of their own the volume isn't looked at.
  [[nodiscard]] virtual Result<LocationSettings> open_location(const LogicalVolume& volume,
                                                               const LocationName& name) = 0;

  // Ends every call under way, and all later ones, with Cancelled.
  virtual void stop() = 0;
};

}  // namespace lvmd::reconciler
