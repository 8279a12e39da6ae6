// The reconciler's metrics for Prometheus [R-SERVE-4].
#pragma once

#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "reconciler/orphans/orphan_detector.hpp"
#include "reconciler/volumes/failure.hpp"

namespace lvmd::reconciler {

// Safe from every thread. No label contains an object's name, so the number of series is bounded.
class Metrics {
 public:
  Metrics();

  void reconciled(bool succeeded, std::chrono::nanoseconds took);

  // The object got its volume this long after it was first seen without one.
  void volume_provisioned(std::chrono::nanoseconds took);

  // Prometheus' text format. Without `csi_states`, the number of objects by csiStatus is absent,
  // and without `orphans`, the metrics about orphans.
  [[nodiscard]] std::string text(
      const std::map<Phase, std::size_t>& phases,
      const std::optional<std::map<std::string, std::size_t>>& csi_states,
      const std::optional<OrphanDetector::Counts>& orphans, bool is_store_ready,
      bool is_lvmd_connected) const;

 private:
  prometheus::Registry registry_;
  prometheus::Counter& succeeded_;
  prometheus::Counter& failed_;
  prometheus::Histogram& seconds_;
  prometheus::Histogram& provisioning_seconds_;
};

}  // namespace lvmd::reconciler
