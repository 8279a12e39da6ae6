// Whether an object is stored in a repository, or restored from one. Rules: R-ONLINE-1 to
// R-ONLINE-5.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "reconciler/model/logical_volume.hpp"
#include "reconciler/model/snapshot_class.hpp"
#include "reconciler/volumes/source.hpp"

namespace lvmd::reconciler {

// When clients are told that a restored volume is there [R-ONLINE-4].
enum class RestoreGate : std::uint8_t {
  kPhase,     // volumeID at once; status.snapshot.phase tells whether it may be used
  kVolumeId,  // volumeID with the end of the restore
};

struct OnlineRules {
  bool enabled = false;
  RestoreGate gate = RestoreGate::kPhase;
};

// The class's mode is "online". Absent: there is no class [R-ONLINE-1].
[[nodiscard]] bool is_online(const std::optional<SnapshotClass>& snapshot_class);

// The object's own class asks for a backup [R-ONLINE-5].
[[nodiscard]] bool should_backup(const std::optional<SnapshotClass>& snapshot_class);

// The volume is made from the backup of `source`, whose class that is, and not as a snapshot of its
// volume [R-ONLINE-2].
[[nodiscard]] bool should_restore(const Source& source,
                                  const std::optional<SnapshotClass>& snapshot_class);

// Why a volume of `wanted` bytes can't be restored from `source` now; Unavailable when it is only a
// matter of time [R-ONLINE-3].
[[nodiscard]] std::optional<Error> check_restore_source(const LogicalVolume& desired,
                                                        const Source& source, Bytes wanted);

// The same for the backup itself, once the volume is there.
[[nodiscard]] std::optional<Error> check_stored(const LogicalVolume& desired, const Source& source);

// Why nothing can be concluded from the source's status.snapshot: FailedPrecondition
// [R-ONLINE-13].
[[nodiscard]] std::optional<Error> check_source_snapshot(const LogicalVolume& desired,
                                                         const Source& source);

// Why the object can't be acted upon as its status.snapshot, or its decision for a restore, stands:
// FailedPrecondition. It is half restored, and nobody here ends that [R-ONLINE-13, R-ONLINE-14].
[[nodiscard]] std::optional<Error> check_restore(const LogicalVolume& desired,
                                                 const OnlineRules& online);

// Why the object can't be let go: something may be stored that nobody here deletes. The same rules.
[[nodiscard]] std::optional<Error> check_removal(const LogicalVolume& desired,
                                                 const OnlineRules& online);

// Why the local volume of a backup has to stay, although status.snapshot says Succeeded
// [R-ONLINE-13].
[[nodiscard]] std::optional<Error> check_stored_backup(const LogicalVolume& desired);

// `base` with the claim's namespace and name below it; as it is where there is no claim
// [R-ONLINE-9].
[[nodiscard]] std::string repository_for(const std::string& base, const PersistentVolume& volume);

// `location` is `base` or below it: credentials of a storage go nowhere else. An empty base allows
// every location.
[[nodiscard]] bool is_within(const std::string& base, const std::string& location);

}  // namespace lvmd::reconciler
