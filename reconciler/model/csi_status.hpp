// status.csiStatus and the two fields beside it [R-CSI-1].
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace lvmd::reconciler {

// status.csiFailure.
struct CsiFailure {
  // The CSI call that failed; empty: no call failed, but the volume is unusable.
  std::string call{};
  // CamelCase, for programs.
  std::string reason{};
  // For a person.
  std::string message{};

  friend bool operator==(const CsiFailure&, const CsiFailure&) = default;
};

struct CsiStatus {
  // The name of a state (csi/lifecycle), or what another writer wrote.
  std::string state{};
  // The number of pods that the volume is published to.
  std::uint32_t publications = 0;
  // Only in the state Failed.
  std::optional<CsiFailure> failure{};

  friend bool operator==(const CsiStatus&, const CsiStatus&) = default;
};

}  // namespace lvmd::reconciler
