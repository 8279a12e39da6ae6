// What an error means for an object's status.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// The answer will be another one soon, without anybody's doing [R-FAIL-1].
[[nodiscard]] bool is_transient(Code code);

// lvmd itself is away: it answers for no object, so no object's status tells of it [R-FAIL-9].
[[nodiscard]] bool is_lvmd_away(const Error& error);

// A creation that lvmd, or the object's own source, refuses: clients act on it, so it is not tried
// again in a hurry [R-FAIL-10].
[[nodiscard]] bool is_refused_creation(const LogicalVolume& volume, const Error& error);

// The object's status after `error`. volumeID and currentSize stay. A transient error shows in the
// conditions only, because clients give up on a code [R-FAIL-1, R-FAIL-2]. What can't be done for a
// volume that is there shows in Resized, anything else in Ready [R-OBJ-25].
[[nodiscard]] VolumeStatus failed_status(const LogicalVolume& volume, const Error& error);

// Something in the status tells of a failure.
[[nodiscard]] bool shows_failure(const VolumeStatus& status);

// How far an object has come, in a word for a person's dashboard [R-SERVE-4].
enum class Phase : std::uint8_t { kPending, kReady, kFailed, kDeleting };
inline constexpr std::array kPhases{Phase::kPending, Phase::kReady, Phase::kFailed,
                                    Phase::kDeleting};

[[nodiscard]] Phase phase_of(const LogicalVolume& volume);
// "Pending".
[[nodiscard]] std::string_view to_string(Phase phase);

// The status without its failure: nothing is known yet of the request as it is now [R-FAIL-11].
[[nodiscard]] VolumeStatus renewed_status(const LogicalVolume& volume);

}  // namespace lvmd::reconciler
