// The state machine of status.snapshot, and what an object's conditions tell of it. Which step
// leads on is decided in plan/transfer.hpp. Rules: R-ONLINE-4, R-ONLINE-6, R-ONLINE-7. Pure.
//
//   (none) → Pending → Running → Succeeded
//               │         └────→ Failed ─→ Pending, by a retry
//               └──────────────→ Failed
#pragma once

#include <optional>

#include "reconciler/model/logical_volume.hpp"

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

// The object's status with `snapshot`, and the condition that goes with it. With the end of a
// restore also volumeID, where that was held back.
[[nodiscard]] VolumeStatus with_snapshot(const LogicalVolume& desired, SnapshotStatus snapshot);

// The status once the volume of a snapshot that is stored is gone [R-ONLINE-5].
[[nodiscard]] VolumeStatus cleaned_status(const LogicalVolume& desired);

// The status after something that the transfer needs was not to be had: in a condition, and never
// in status.code, because clients give up on that.
[[nodiscard]] VolumeStatus blocked_status(const LogicalVolume& desired, const Error& error);

}  // namespace lvmd::reconciler
