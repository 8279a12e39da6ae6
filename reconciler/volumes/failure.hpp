// The effect of an error on an object's status.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// The cause can disappear soon without a change [R-FAIL-1].
[[nodiscard]] bool is_transient(Code code);

// lvmd itself is unavailable. That is not about one object, so no object's status shows it
// [R-FAIL-9].
[[nodiscard]] bool is_lvmd_away(const Error& error);

// lvmd, or the object's own source, refuses the creation. Clients react to it, so it is retried
// less often [R-FAIL-10].
[[nodiscard]] bool is_refused_creation(const LogicalVolume& object, const Error& error);

// The object's status after `error`. volumeID and currentSize stay. Only the conditions show a
// transient error, because clients give up on a code [R-FAIL-1, R-FAIL-2]. A failure with an
// existing volume is in Resized, every other one in Ready [R-OBJ-25].
[[nodiscard]] VolumeStatus failed_status(const LogicalVolume& object, const Error& error);

// The status shows a failure.
[[nodiscard]] bool shows_failure(const VolumeStatus& status);

// The state of an object in one word, for dashboards [R-SERVE-4].
enum class Phase : std::uint8_t { kPending, kReady, kFailed, kDeleting };
inline constexpr std::array kPhases{Phase::kPending, Phase::kReady, Phase::kFailed,
                                    Phase::kDeleting};

[[nodiscard]] Phase phase_of(const LogicalVolume& object);
// "Pending".
[[nodiscard]] std::string_view to_string(Phase phase);

// The status without its failure: the result of the current request is not known yet [R-FAIL-11].
[[nodiscard]] VolumeStatus renewed_status(const LogicalVolume& object);

}  // namespace lvmd::reconciler
