// The state machine of status.snapshot, and what comes next in it. Rules: R-ONLINE-3, R-ONLINE-5 to
// R-ONLINE-10.
//
//   (none) → Pending → Running → Succeeded
//               │         └────→ Failed ─→ Pending, by a retry
//               └──────────────→ Failed
#pragma once

#include <cstdint>
#include <optional>

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/plan/observed.hpp"
#include "reconciler/plan/step.hpp"

namespace lvmd::reconciler {

// So often a transfer that failed for a passing cause is begun again by itself [R-ONLINE-6].
inline constexpr std::uint32_t kMaxRetries = 10;

// status.snapshot of a transfer that is asked for and not begun.
[[nodiscard]] SnapshotStatus pending_backup(const LogicalVolume& desired,
                                            const StorageName& storage);
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

// The status after something that the transfer needs was not to be had: in a condition, and never
// in status.code, because clients give up on that.
[[nodiscard]] VolumeStatus held_up_status(const LogicalVolume& desired, const Error& error);

// The next step of what status.snapshot is about.
[[nodiscard]] Step plan_transfer(const LogicalVolume& desired, const Observed& observed);

// The next step for an object whose volume is there, after growth.
[[nodiscard]] Step plan_snapshot(const LogicalVolume& desired, const Observed& observed);

// What has to be done before the volume of an object may be removed; absent: nothing any more
// [R-ONLINE-8].
[[nodiscard]] std::optional<Step> plan_letting_go(const LogicalVolume& desired,
                                                  const Observed& observed);

}  // namespace lvmd::reconciler
