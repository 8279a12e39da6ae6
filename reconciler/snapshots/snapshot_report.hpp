// What the snapshot controller reports about an object, and how it becomes part of the status.
#pragma once

#include <optional>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

struct SnapshotReport {
  // Absent: status.snapshot stays.
  std::optional<SnapshotStatus> snapshot{};
  // A condition without a type is not written.
  Condition condition{};
  // The part about the volume, when this write changes it, too [R-ONLINE-3, R-ONLINE-4].
  std::optional<VolumeStatus> volume{};

  friend bool operator==(const SnapshotReport&, const SnapshotReport&) = default;
};

// The object's whole status after `report`. All that the report does not name stays.
[[nodiscard]] VolumeStatus merge(const LogicalVolume& object, const SnapshotReport& report);

// The object's whole status after the volume controller wrote `volume`: status.snapshot stays.
[[nodiscard]] VolumeStatus merge(const LogicalVolume& object, const VolumeStatus& volume);

}  // namespace lvmd::reconciler
