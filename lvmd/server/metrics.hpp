// Counters and histograms of events, for Prometheus [P-METRIC-1]. Gauges of the current state are
// in lvmd/volumes/service/state_metrics.hpp.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/histogram.h>
#include <prometheus/metric_family.h>
#include <prometheus/registry.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/clock.hpp"
#include "lvmd/base/error.hpp"

namespace lvmd::server {

// Thread-safe. Labels come from the configuration and from literals, never from callers, so that
// their number is bounded.
class Metrics {
 public:
  Metrics();

  // `method` is a string literal.
  void call_finished(std::string_view method, Code code, std::chrono::nanoseconds took);
  // `command` as the worker announced it: "lvcreate vg0/pvc-1".
  void command_finished(std::string_view volume_group, std::string_view command,
                        std::chrono::nanoseconds took);
  // A change waited for `waited` before it was sent to its worker.
  void change_waited(std::string_view volume_group, std::chrono::nanoseconds waited);
  void connection_refused(std::string_view why);
  // The time of the last answer of a child to the supervisor.
  void set_heartbeat(const std::string& child, MonotonicTime at);
  // The number of restarts of a child of the supervisor.
  void set_restarts(const std::string& child, std::uint64_t count);

  [[nodiscard]] std::vector<prometheus::MetricFamily> collect() const;

 private:
  prometheus::Registry registry_;
  prometheus::Family<prometheus::Counter>& calls_;
  prometheus::Family<prometheus::Histogram>& call_seconds_;
  prometheus::Family<prometheus::Histogram>& command_seconds_;
  prometheus::Family<prometheus::Histogram>& wait_seconds_;
  prometheus::Family<prometheus::Counter>& refused_;
  mutable std::mutex mutex_;
  std::map<std::string, std::uint64_t> restarts_;
  std::map<std::string, MonotonicTime> heartbeats_;
};

}  // namespace lvmd::server
