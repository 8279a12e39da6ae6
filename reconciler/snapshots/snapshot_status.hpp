// The state machine of status.snapshot, and what an object's conditions tell of it. Which step
// leads on is decided in snapshots/plan.hpp. Rules: R-ONLINE-4, R-ONLINE-6, R-ONLINE-7. Pure.
//
//   (none) → Pending → Running → Succeeded
//               │         └────→ Failed ─→ Pending, by a retry
//               └──────────────→ Failed
#pragma once

#include <optional>

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/snapshots/snapshot_report.hpp"

namespace lvmd::reconciler {

// status.snapshot of a transfer that is asked for and not begun.
[[nodiscard]] SnapshotStatus pending_backup(const LogicalVolume& desired,
                                            const LocationName& storage);
[[nodiscard]] SnapshotStatus pending_restore(const LogicalVolume& desired);
// Of the backup's deletion; repository and storage stay.
[[nodiscard]] SnapshotStatus pending_deletion(const LogicalVolume& desired);
// After a failure. `requested`: by somebody, so that the count begins anew.
[[nodiscard]] SnapshotStatus pending_again(const LogicalVolume& desired, bool requested);

// `before` after lvmd has told `transfer`: one transition of the state machine, or newer progress.
[[nodiscard]] SnapshotStatus advance(const SnapshotStatus& before, const Transfer& transfer);

// A refused Start as a transfer that failed; absent when it is only a matter of waiting: lvmd is
// away or too old, or has no place free.
[[nodiscard]] std::optional<Transfer> refused_transfer(Operation operation, const Error& error);

// The report of `snapshot` with its condition. The end of a restore also reports the volume, when
// volumeID was withheld.
[[nodiscard]] SnapshotReport report_of(const LogicalVolume& desired, SnapshotStatus snapshot);

// The object's whole status after that report.
[[nodiscard]] VolumeStatus with_snapshot(const LogicalVolume& desired, SnapshotStatus snapshot);

// The report after the volume of a stored snapshot was removed [R-ONLINE-5].
[[nodiscard]] SnapshotReport cleaned_report();

// The report when a precondition of the transfer is not met: in a condition, and never in
// status.code, because clients give up on a code.
[[nodiscard]] SnapshotReport blocked_report(const LogicalVolume& desired, const Error& error);

}  // namespace lvmd::reconciler
