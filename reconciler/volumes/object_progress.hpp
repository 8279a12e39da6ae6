// What is known of an object between two reconciliations.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

struct ObjectProgress {
  using Clock = std::chrono::steady_clock;

  // As the last reconciliation left it.
  LogicalVolume seen;
  // Versions older than that. The order of two versions that are not in this set is unknown.
  std::set<std::string> superseded{};
  // Reconciliations that failed in a row.
  unsigned failures = 0;
  // The request has changed, and no status has been written since [R-FAIL-11].
  bool renewed = false;
  // When a transfer's state was last written, and when a failed transfer is due again.
  Clock::time_point written_at{};
  std::optional<Clock::time_point> retry_at{};

  // Continues with `newer` as the object. A store without versions never shows an older object, so
  // it has no version to remember.
  void replace(LogicalVolume newer) {
    if (newer.resource_version != seen.resource_version) superseded.insert(seen.resource_version);
    seen = std::move(newer);
  }

  // The same with the result of a write.
  [[nodiscard]] Status replace(Result<LogicalVolume> written) {
    if (!written) return std::unexpected(std::move(written.error()));
    replace(std::move(*written));
    return {};
  }
};

}  // namespace lvmd::reconciler
