// The metrics of csi-controller for Prometheus [C-SERVE-2].
#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <chrono>
#include <string>
#include <string_view>

#include "csi/controller/object_store.hpp"
#include "lvmd/base/error.hpp"

namespace lvmd::controller {

// Safe from every thread. No label has the name of an object, so the number of series is bounded.
class Metrics {
 public:
  Metrics();

  void call_ended(std::string_view method, Code code, std::chrono::nanoseconds duration);

  // Prometheus' text format.
  [[nodiscard]] std::string text(const ObjectStore& store) const;

 private:
  prometheus::Registry registry_;
  prometheus::Family<prometheus::Counter>& calls_;
  prometheus::Family<prometheus::Histogram>& seconds_;
};

}  // namespace lvmd::controller
