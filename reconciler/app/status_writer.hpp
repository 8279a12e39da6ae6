// Writes the status of an object: the one place that merges what the controllers report.
#pragma once

#include "reconciler/model/volume_store.hpp"
#include "reconciler/snapshots/snapshot_controller.hpp"
#include "reconciler/snapshots/step.hpp"
#include "reconciler/volumes/volume_controller.hpp"

namespace lvmd::reconciler {

class StatusWriter {
 public:
  // All references must outlive the writer.
  StatusWriter(VolumeStore& store, ObjectProgress& progress, VolumeController& volumes,
               SnapshotController& snapshots)
      : store_(store), progress_(progress), volumes_(volumes), snapshots_(snapshots) {}

  // Merges the report into the object's status, writes it, records an event for what is worth one,
  // and informs both controllers. FailedPrecondition when the definition of LogicalVolume drops
  // status.snapshot [R-KUBE-13].
  [[nodiscard]] Status write(const WriteStatus& step);
  [[nodiscard]] Status write(const WriteReport& step);

  // The step, WriteStatus or WriteReport, would change the status.
  [[nodiscard]] bool changes(const Step& step) const;

 private:
  [[nodiscard]] Status write(VolumeStatus status);

  VolumeStore& store_;
  ObjectProgress& progress_;
  VolumeController& volumes_;
  SnapshotController& snapshots_;
};

}  // namespace lvmd::reconciler
