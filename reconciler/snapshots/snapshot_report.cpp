#include "reconciler/snapshots/snapshot_report.hpp"

namespace lvmd::reconciler {

VolumeStatus merge(const LogicalVolume& object, const SnapshotReport& report) {
  VolumeStatus status = report.volume ? merge(object, *report.volume) : object.status;
  if (report.snapshot) status.snapshot = report.snapshot;
  status.observed_generation = object.generation;
  if (!report.condition.type.empty()) set_condition(status.conditions, report.condition);
  return status;
}

VolumeStatus merge(const LogicalVolume& object, const VolumeStatus& volume) {
  VolumeStatus status = volume;
  status.snapshot = object.status.snapshot;
  status.csi = object.status.csi;
  status.conditions = object.status.conditions;
  for (const Condition& condition : volume.conditions)
    if (is_owned_condition(condition.type)) set_condition(status.conditions, condition);
  return status;
}

}  // namespace lvmd::reconciler
