// What has happened, counted for Prometheus [P-METRIC-1]. How things are now is in
// state_metrics.hpp.
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

// Thread-safe. Labels come from the configuration and from literals, never from callers: their
// number is bound.
class Metrics {
 public:
  Metrics();

  // `method` is a literal.
  void call_finished(std::string_view method, Code code, std::chrono::nanoseconds took);
  // `command` as a worker announces it: "lvcreate vg0/pvc-1".
  void command_finished(std::string_view volume_group, std::string_view command,
                        std::chrono::nanoseconds took);
  // A change waited so long before its worker got it.
  void change_waited(std::string_view volume_group, std::chrono::nanoseconds waited);
  void connection_refused(std::string_view why);
  // When a child last answered the supervisor.
  void set_heartbeat(const std::string& child, MonotonicTime at);
  // A child of the supervisor has been started again so often.
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
