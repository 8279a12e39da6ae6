#include "csi/lifecycle/derive.hpp"

#include <algorithm>

namespace lvmd::lifecycle {
namespace {

bool counts(const VolumeFailure& failure, const Facts& facts) {
  if (facts.removing)
    return failure.call == Call::kRemove || failure.call == Call::kUnstage ||
           failure.call == Call::kUnpublish;
  return facts.created || failure.call == Call::kCreate;
}

// Fewer pods do not end Resized while one is left: the edges out of Resized are a publication, and
// the end of the last one.
bool is_still_resized(const Facts& facts) {
  if (facts.before != State::kResizing && facts.before != State::kResized) return false;
  const bool has_lost_all = facts.publications == 0 && facts.publications_before > 0;
  return facts.publications <= facts.publications_before && !has_lost_all;
}

State state_without_failure(const Facts& facts) {
  if (facts.removing) return State::kRemoving;
  if (!facts.created) return State::kCreating;
  if (facts.growing) return State::kResizing;
  if (is_still_resized(facts)) return State::kResized;
  if (facts.publications > 0) return State::kPublished;
  return facts.staged ? State::kVolumeReady : State::kCreated;
}

}  // namespace

Derived derive(const Facts& facts) {
  if (facts.removed) return {.state = State::kRemoved};
  const auto failure = std::ranges::find_if(
      facts.failures, [&](const VolumeFailure& candidate) { return counts(candidate, facts); });
  if (failure != facts.failures.end()) return {.state = State::kFailed, .failure = *failure};
  return {.state = state_without_failure(facts)};
}

}  // namespace lvmd::lifecycle
