// Writes the status of an object: the one place that merges what the controllers report with the
// CSI status, which follows from it.
#pragma once

#include <optional>

#include "reconciler/csi/csi_change.hpp"
#include "reconciler/csi/use_table.hpp"
#include "reconciler/model/volume_store.hpp"
#include "reconciler/snapshots/snapshot_controller.hpp"
#include "reconciler/snapshots/step.hpp"
#include "reconciler/volumes/volume_controller.hpp"

namespace lvmd::reconciler {

// The object's whole status after a step that writes it: WriteStatus or WriteReport. Absent for
// other steps.
[[nodiscard]] std::optional<VolumeStatus> written_status(const Step& step,
                                                         const LogicalVolume& object);

class StatusWriter {
 public:
  // All references must outlive the writer. Without `uses`, the CSI status stays as it is.
  StatusWriter(VolumeStore& store, ObjectProgress& progress, VolumeController& volumes,
               SnapshotController& snapshots, const UseTable* uses)
      : store_(store), progress_(progress), volumes_(volumes), snapshots_(snapshots), uses_(uses) {}

  // Writes the status with its CSI part, records an event for what is worth one, and informs both
  // controllers.
  // FailedPrecondition when the definition of LogicalVolume drops status.snapshot [R-KUBE-13].
  [[nodiscard]] Status write(VolumeStatus status);

  // The CSI status differs from the present one: write() of the present status changes it
  // [R-CSI-5].
  [[nodiscard]] bool is_csi_outdated() const;

 private:
  [[nodiscard]] CsiChange csi_for(const VolumeStatus& next) const;

  VolumeStore& store_;
  ObjectProgress& progress_;
  VolumeController& volumes_;
  SnapshotController& snapshots_;
  const UseTable* uses_;
};

}  // namespace lvmd::reconciler
