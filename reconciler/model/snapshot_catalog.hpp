// The interface to the objects that an online snapshot depends on: its class, its PersistentVolume,
// its backup location. Rules: R-ONLINE-1, R-ONLINE-9, R-ONLINE-12.
#pragma once

#include <optional>
#include <string>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"
#include "reconciler/model/snapshot_class.hpp"

namespace lvmd::reconciler {

// Every function is safe from every thread, and keeps nothing that it reads: an answer is about one
// object only [R-ONLINE-11]. An error decides nothing: Unavailable when it can be temporary.
class SnapshotCatalog {
 public:
  SnapshotCatalog() = default;
  SnapshotCatalog(const SnapshotCatalog&) = delete;
  SnapshotCatalog& operator=(const SnapshotCatalog&) = delete;
  virtual ~SnapshotCatalog() = default;

  // The class of a snapshot; absent: there is none.
  [[nodiscard]] virtual Result<std::optional<SnapshotClass>> find_class(
      const LogicalVolume& snapshot) = 0;

  // Absent: there is no PersistentVolume of that name.
  [[nodiscard]] virtual Result<std::optional<PersistentVolume>> find_persistent_volume(
      const std::string& name) = 0;

  // The settings of the location for the transfer of `object`, with the current credentials.
  // `object` is not used in a store with objects for locations.
  [[nodiscard]] virtual Result<LocationSettings> open_location(const LogicalVolume& object,
                                                               const LocationName& name) = 0;

  // Ends every call in progress, and all later ones, with Cancelled.
  virtual void stop() = 0;
};

}  // namespace lvmd::reconciler
