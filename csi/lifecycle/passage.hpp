// Why a state changed: an edge of the diagram, or a jump that the diagram does not have. Pure and
// thread-safe.
#pragma once

#include <optional>

#include "csi/lifecycle/derive.hpp"
#include "csi/lifecycle/state.hpp"
#include "csi/lifecycle/transition.hpp"

namespace lvmd::lifecycle {

struct Passage {
  // Absent: the begin.
  std::optional<State> from{};
  State to = State::kCreating;
  // Absent: the change is only observed. Examples: Published → Created (the node was rebooted),
  // Failed → the state that is true again, Resized → Resizing (another growth), Created → Failed
  // (a failed NodeStageVolume), begin → Published (the driver was enabled later).
  std::optional<Event> event{};

  friend bool operator==(const Passage&, const Passage&) = default;
};

// The change from the state before to the derived one; absent if both are equal. The event of a
// change to Failed is that of the failed call; otherwise it is that of the edge between the states.
// An event is present only if transition(from, event) leads to the derived state.
[[nodiscard]] std::optional<Passage> passage(std::optional<State> from, const Derived& derived);

}  // namespace lvmd::lifecycle
