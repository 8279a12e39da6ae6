// The states of a volume in CSI, as in status.csiStatus of its LogicalVolume. They are written for
// people and alerts: no call is permitted or refused because of a state. Pure and thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lvmd::lifecycle {

enum class State : std::uint8_t {
  // The volume does not exist yet, or a restore into it has not finished.
  kCreating,
  // The volume exists. It is neither staged nor published.
  kCreated,
  // The volume is staged, and published to no pod.
  kVolumeReady,
  // The volume is published to at least one pod.
  kPublished,
  // The volume is to grow.
  kResizing,
  // The volume has grown. Since then it was published to no other pod, and the last pod has kept
  // it.
  kResized,
  // The volume is to be removed.
  kRemoving,
  // The volume is gone. Its object still exists.
  kRemoved,
  // A call failed and has not succeeded since, or the volume is unusable.
  kFailed,
};

inline constexpr std::array kStates{State::kCreating,  State::kCreated,  State::kVolumeReady,
                                    State::kPublished, State::kResizing, State::kResized,
                                    State::kRemoving,  State::kRemoved,  State::kFailed};

// "VolumeReady", as in the CRD.
[[nodiscard]] std::string_view name_of(State state);

// Absent unless the text is exactly the name of a state.
[[nodiscard]] std::optional<State> parse_state(std::string_view name);

}  // namespace lvmd::lifecycle
