#include "csi/lifecycle/transition.hpp"

#include <algorithm>

namespace lvmd::lifecycle {

const Edge* transition(std::optional<State> from, Event event) {
  const auto* const found = std::ranges::find_if(
      kEdges, [&](const Edge& edge) { return edge.event == event && edge.from == from; });
  return found == kEdges.end() ? nullptr : found;
}

}  // namespace lvmd::lifecycle
