// The values that the cases of csi/lifecycle go through.
#pragma once

#include <optional>
#include <vector>

#include "csi/lifecycle/state.hpp"

namespace lvmd::lifecycle::test {

inline std::vector<std::optional<State>> begin_and_states() {
  std::vector<std::optional<State>> all{std::nullopt};
  all.insert(all.end(), kStates.begin(), kStates.end());
  return all;
}

}  // namespace lvmd::lifecycle::test
