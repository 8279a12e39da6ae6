// The state machine of status.snapshot, and the object's conditions about it. snapshots/plan.hpp
// decides the next step. Rules: R-ONLINE-4, R-ONLINE-6, R-ONLINE-7. Pure.
//
//   (none) → Pending → Running → Succeeded
//               │         └────→ Failed ─→ Pending, by a retry
//               └──────────────→ Failed
#pragma once

#include <optional>

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/snapshots/snapshot_report.hpp"

namespace lvmd::reconciler {

// status.snapshot of a transfer that is requested and not started.
[[nodiscard]] SnapshotStatus pending_backup(const LogicalVolume& desired,
                                            const LocationName& storage);
[[nodiscard]] SnapshotStatus pending_restore(const LogicalVolume& desired);
// For the deletion of a backup. Repository and location stay.
[[nodiscard]] SnapshotStatus pending_deletion(const LogicalVolume& desired);
// After a failure. `requested`: by the annotation, so that the attempts are counted from 1 again.
[[nodiscard]] SnapshotStatus pending_again(const LogicalVolume& desired, bool requested);

// `before`, after lvmd reported `transfer`: one transition of the state machine, or newer progress.
[[nodiscard]] SnapshotStatus advance(const SnapshotStatus& before, const Transfer& transfer);

// A refused Start as a failed transfer. Absent when the Start can be retried unchanged: lvmd is
// unavailable or too old, or has no free slot.
[[nodiscard]] std::optional<Transfer> refused_transfer(Operation operation, const Error& error);

// The report of `snapshot` with its condition. The end of a restore also reports the volume, when
// volumeID was withheld.
[[nodiscard]] SnapshotReport report_of(const LogicalVolume& desired, SnapshotStatus snapshot);

// The report after the volume of a stored snapshot was removed [R-ONLINE-5].
[[nodiscard]] SnapshotReport cleaned_report();

// The report when a precondition of the transfer is not met: in a condition, and never in
// status.code, because clients give up on a code.
[[nodiscard]] SnapshotReport blocked_report(const LogicalVolume& desired, const Error& error);

}  // namespace lvmd::reconciler
