// What the reconciler has done, counted for Prometheus [R-SERVE-4].
#pragma once

#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <chrono>
#include <cstddef>
#include <map>
#include <string>

#include "reconciler/plan/failure.hpp"

namespace lvmd::reconciler {

// Safe from every thread. No label is an object's name: their number is bound.
class Metrics {
 public:
  Metrics();

  void pass_finished(bool succeeded, std::chrono::nanoseconds took);

  // Prometheus' text format.
  [[nodiscard]] std::string text(const std::map<Phase, std::size_t>& phases, bool is_store_ready,
                                 bool is_lvmd_connected) const;

 private:
  prometheus::Registry registry_;
  prometheus::Counter& succeeded_;
  prometheus::Counter& failed_;
  prometheus::Histogram& seconds_;
};

}  // namespace lvmd::reconciler
