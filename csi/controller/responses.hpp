// An object as a volume or a snapshot of CSI. Pure. Rules: C-VOL-*, C-SNAP-*.
#pragma once

#include "csi/controller/api.hpp"
#include "csi/controller/driver.hpp"
#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::controller {

// Without content_source, which only the response to CreateVolume has.
[[nodiscard]] api::Volume to_volume(const reconciler::LogicalVolume& object, const Driver& driver);

// Abnormal while the volume does not exist any more, or cannot be removed [C-VOL-3].
[[nodiscard]] api::VolumeCondition condition_of(const reconciler::LogicalVolume& object);

// The same in the form of CSI 1.13: one status while the volume is abnormal [C-VOL-4].
[[nodiscard]] api::VolumeHealth health_of(const reconciler::LogicalVolume& object);

// The handle of the volume of which the snapshot was taken. `source` is its object, if there is
// one: snapshots that TopoLVM created do not have the handle.
[[nodiscard]] std::string source_volume(const reconciler::LogicalVolume& snapshot,
                                        const reconciler::LogicalVolume* source);

// The snapshot can be used: its volume exists and, if it is online, its backup has succeeded
// [C-SNAP-3].
[[nodiscard]] bool is_ready(const reconciler::LogicalVolume& snapshot);

// Why the backup of an online snapshot failed, and is not tried again; success otherwise.
[[nodiscard]] Status backup_of(const reconciler::LogicalVolume& snapshot);

[[nodiscard]] api::Snapshot to_snapshot(const reconciler::LogicalVolume& snapshot,
                                        const std::string& source_volume);

}  // namespace lvmd::controller
