#include "csi/lifecycle/passage.hpp"

#include <algorithm>

namespace lvmd::lifecycle {
namespace {

std::optional<Event> failure_of(Call call) {
  switch (call) {
    case Call::kCreate:
      return Event::kCreationFailed;
    case Call::kRemove:
      return Event::kRemovalFailed;
    case Call::kExpand:
      return Event::kExpansionFailed;
    case Call::kPublish:
      return Event::kPublishFailed;
    case Call::kUnpublish:
      return Event::kUnpublishFailed;
    case Call::kStage:
    case Call::kUnstage:
      return std::nullopt;
  }
  return std::nullopt;
}

// The states alone do not determine it: a second pod's failed NodePublishVolume leads from
// Published to Failed, and only a failed NodeUnpublishVolume has an edge there.
std::optional<Event> event_of_failure(std::optional<State> from, const VolumeFailure& failure) {
  if (from == State::kResized) return Event::kFailedAfterExpansion;
  const auto event = failure.call ? failure_of(*failure.call) : std::nullopt;
  return event && transition(from, *event) ? event : std::nullopt;
}

std::optional<Event> event_between(std::optional<State> from, State to) {
  const auto* const found = std::ranges::find_if(
      kEdges, [&](const Edge& edge) { return edge.from == from && edge.to == to; });
  return found == kEdges.end() ? std::nullopt : std::optional{found->event};
}

}  // namespace

std::optional<Passage> passage(std::optional<State> from, const Derived& derived) {
  if (from == derived.state) return std::nullopt;
  return Passage{.from = from,
                 .to = derived.state,
                 .event = derived.failure ? event_of_failure(from, *derived.failure)
                                          : event_between(from, derived.state)};
}

}  // namespace lvmd::lifecycle
