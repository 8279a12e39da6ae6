// Writes the status of an object: the one place that merges what the controllers report.
#pragma once

#include <optional>

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
  // All references must outlive the writer.
  StatusWriter(VolumeStore& store, ObjectProgress& progress, VolumeController& volumes,
               SnapshotController& snapshots)
      : store_(store), progress_(progress), volumes_(volumes), snapshots_(snapshots) {}

  // Writes the status, records an event for what is worth one, and informs both controllers.
  // FailedPrecondition when the definition of LogicalVolume drops status.snapshot [R-KUBE-13].
  [[nodiscard]] Status write(VolumeStatus status);

 private:
  VolumeStore& store_;
  ObjectProgress& progress_;
  VolumeController& volumes_;
  SnapshotController& snapshots_;
};

}  // namespace lvmd::reconciler
