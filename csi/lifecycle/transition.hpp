// The diagram of the states: 17 rows with 21 edges. It explains a change of the state; it permits
// and refuses nothing. Pure and thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "csi/lifecycle/state.hpp"

namespace lvmd::lifecycle {

// The value of an event is the number of its row. The rows are those of csi-baremetal's document
// about volume statuses; row 17 is only in its diagram.
enum class Event : std::uint8_t {
  // CreateVolume created the object.
  kRequested = 1,
  kCreated = 2,
  kCreationFailed = 3,
  // NodeStageVolume, NodeUnstageVolume or NodePublishVolume succeeded.
  kStaged = 4,
  kUnstaged = 5,
  kPublished = 6,
  // NodePublishVolume failed.
  kPublishFailed = 7,
  // NodeUnpublishVolume succeeded.
  kUnpublished = 8,
  // DeleteVolume deleted the object, which stays until the volume is gone.
  kRemovalAccepted = 9,
  kRemoved = 10,
  kRemovalFailed = 11,
  kObjectGone = 12,
  // ControllerExpandVolume raised the size in the object.
  kExpansionRequested = 13,
  kExpanded = 14,
  kExpansionFailed = 15,
  // NodeUnpublishVolume failed.
  kUnpublishFailed = 16,
  // A call failed in Resized.
  kFailedAfterExpansion = 17,
};

struct Edge {
  Event event{};
  // Absent: the begin.
  std::optional<State> from{};
  // Absent: the end.
  std::optional<State> to{};

  friend bool operator==(const Edge&, const Edge&) = default;
};

// In the order of the rows. No two edges have the same states, nor the same event and `from`. The
// arrows of row 13 have a second head in the diagram, from Resizing back: they are no edges here.
inline constexpr auto kEdges = std::to_array<Edge>({
    {Event::kRequested, std::nullopt, State::kCreating},
    {Event::kCreated, State::kCreating, State::kCreated},
    {Event::kCreationFailed, State::kCreating, State::kFailed},
    {Event::kStaged, State::kCreated, State::kVolumeReady},
    {Event::kUnstaged, State::kVolumeReady, State::kCreated},
    {Event::kPublished, State::kVolumeReady, State::kPublished},
    {Event::kPublished, State::kResized, State::kPublished},
    {Event::kPublishFailed, State::kVolumeReady, State::kFailed},
    {Event::kUnpublished, State::kPublished, State::kVolumeReady},
    {Event::kUnpublished, State::kResized, State::kVolumeReady},
    {Event::kRemovalAccepted, State::kCreated, State::kRemoving},
    {Event::kRemoved, State::kRemoving, State::kRemoved},
    {Event::kRemovalFailed, State::kRemoving, State::kFailed},
    {Event::kObjectGone, State::kRemoved, std::nullopt},
    {Event::kExpansionRequested, State::kCreated, State::kResizing},
    {Event::kExpansionRequested, State::kVolumeReady, State::kResizing},
    {Event::kExpansionRequested, State::kPublished, State::kResizing},
    {Event::kExpanded, State::kResizing, State::kResized},
    {Event::kExpansionFailed, State::kResizing, State::kFailed},
    {Event::kUnpublishFailed, State::kPublished, State::kFailed},
    {Event::kFailedAfterExpansion, State::kResized, State::kFailed},
});

// The edge of `event` from a state, or from the begin. Null: the diagram has none.
[[nodiscard]] const Edge* transition(std::optional<State> from, Event event);

}  // namespace lvmd::lifecycle
