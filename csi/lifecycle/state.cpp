#include "csi/lifecycle/state.hpp"

#include <algorithm>

namespace lvmd::lifecycle {

std::string_view name_of(State state) {
  switch (state) {
    case State::kCreating:
      return "Creating";
    case State::kCreated:
      return "Created";
    case State::kVolumeReady:
      return "VolumeReady";
    case State::kPublished:
      return "Published";
    case State::kResizing:
      return "Resizing";
    case State::kResized:
      return "Resized";
    case State::kRemoving:
      return "Removing";
    case State::kRemoved:
      return "Removed";
    case State::kFailed:
      return "Failed";
  }
  return {};
}

std::optional<State> parse_state(std::string_view name) {
  const auto* const found = std::ranges::find(kStates, name, name_of);
  return found == kStates.end() ? std::nullopt : std::optional{*found};
}

}  // namespace lvmd::lifecycle
