// Whether an object is stored in a repository, or restored from one. Rules: R-ONLINE-1 to
// R-ONLINE-5, R-ONLINE-13, R-ONLINE-14.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/model/snapshot_class.hpp"
#include "reconciler/volumes/source.hpp"

namespace lvmd::reconciler {

// When clients learn that a restored volume exists [R-ONLINE-4].
enum class RestoreGate : std::uint8_t {
  kPhase,     // volumeID at once; status.snapshot.phase says whether the volume may be used
  kVolumeId,  // volumeID after the restore
};

struct OnlineRules {
  bool enabled = false;
  RestoreGate gate = RestoreGate::kPhase;
};

// The class has the mode "online": a snapshot of this class gets a backup [R-ONLINE-5]. Absent:
// there is no class [R-ONLINE-1].
[[nodiscard]] bool is_online(const std::optional<SnapshotClass>& snapshot_class);

// The volume is restored from the backup of `source`, which has that class, and not created as a
// snapshot of the source's volume [R-ONLINE-2].
[[nodiscard]] bool should_restore(const Source& source,
                                  const std::optional<SnapshotClass>& snapshot_class);

// Why a volume of `wanted` bytes cannot be restored from `source` now. Unavailable: it can be
// restored later [R-ONLINE-3].
[[nodiscard]] std::optional<Error> check_restore_source(const LogicalVolume& desired,
                                                        const Source& source, Bytes wanted);

// The same for the backup itself, after the volume was created.
[[nodiscard]] std::optional<Error> check_stored(const LogicalVolume& desired, const Source& source);

// Why the source's status.snapshot cannot be used: FailedPrecondition [R-ONLINE-13].
[[nodiscard]] std::optional<Error> check_source_snapshot(const LogicalVolume& desired,
                                                         const Source& source);

// Why the object cannot be changed, by its status.snapshot or its decision for a restore:
// FailedPrecondition. It is partly restored, and this reconciler cannot finish the restore
// [R-ONLINE-13, R-ONLINE-14].
[[nodiscard]] std::optional<Error> check_restore(const LogicalVolume& desired,
                                                 const OnlineRules& online);

// Why the object cannot be removed, by the same rules: data may be stored that this reconciler
// cannot delete.
[[nodiscard]] std::optional<Error> check_removal(const LogicalVolume& desired,
                                                 const OnlineRules& online);

// Why the local volume of a backup has to stay although status.snapshot is Succeeded [R-ONLINE-13].
[[nodiscard]] std::optional<Error> check_stored_backup(const LogicalVolume& desired);

// `base`, followed by the claim's namespace and name; `base` alone without a claim [R-ONLINE-9].
[[nodiscard]] std::string repository_for(const std::string& base, const PersistentVolume& volume);

// `location` is `base` or below it. The credentials of a backup location are sent to no other
// repository. An empty base allows every location.
[[nodiscard]] bool is_within(const std::string& base, const std::string& location);

}  // namespace lvmd::reconciler
