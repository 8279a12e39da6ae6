// The values that the cases of csi/lifecycle go through.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "csi/lifecycle/derive.hpp"

namespace lvmd::lifecycle::test {

inline constexpr std::array kCalls{Call::kCreate,  Call::kRemove,  Call::kExpand,   Call::kStage,
                                   Call::kUnstage, Call::kPublish, Call::kUnpublish};

inline std::vector<std::optional<State>> begin_and_states() {
  std::vector<std::optional<State>> all{std::nullopt};
  all.insert(all.end(), kStates.begin(), kStates.end());
  return all;
}

}  // namespace lvmd::lifecycle::test
