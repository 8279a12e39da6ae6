#include "csi/app/metrics.hpp"

#include <prometheus/text_serializer.h>

#include <algorithm>
#include <vector>

namespace lvmd::controller {
namespace {

prometheus::MetricFamily gauge(const char* name, const char* help) {
  return {.name = name, .help = help, .type = prometheus::MetricType::Gauge, .metric = {}};
}

prometheus::ClientMetric& add(prometheus::MetricFamily& family, std::size_t value) {
  prometheus::ClientMetric& metric = family.metric.emplace_back();
  metric.gauge.value = static_cast<double>(value);
  return metric;
}

}  // namespace

Metrics::Metrics()
    : calls_(prometheus::BuildCounter()
                 .Name("lvmd_csi_controller_calls_total")
                 .Help("Calls of the sidecars, by method and result.")
                 .Register(registry_)),
      seconds_(prometheus::BuildHistogram()
                   .Name("lvmd_csi_controller_call_seconds")
                   .Help("How long a call took, with the time that it waited for the node.")
                   .Register(registry_)) {}

void Metrics::call_ended(std::string_view method, Code code, std::chrono::nanoseconds duration) {
  calls_.Add({{"method", std::string{method}}, {"code", std::string{to_string(code)}}}).Increment();
  seconds_
      .Add({{"method", std::string{method}}},
           prometheus::Histogram::BucketBoundaries{0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
                                                   1, 2.5, 5, 10, 30, 60, 300})
      .Observe(std::chrono::duration<double>(duration).count());
}

std::string Metrics::text(const ObjectStore& store) const {
  auto families = registry_.Collect();
  const std::vector<reconciler::LogicalVolume> objects = store.seen().all();
  const auto snapshots = static_cast<std::size_t>(std::ranges::count_if(objects, &is_snapshot));
  prometheus::MetricFamily kinds =
      gauge("lvmd_csi_controller_objects", "The LogicalVolumes of the driver's group.");
  add(kinds, objects.size() - snapshots).label = {{.name = "kind", .value = "volume"}};
  add(kinds, snapshots).label = {{.name = "kind", .value = "snapshot"}};
  families.push_back(std::move(kinds));
  prometheus::MetricFamily ready =
      gauge("lvmd_csi_controller_ready", "Whether all objects and Nodes are known.");
  add(ready, store.is_ready() ? 1 : 0);
  families.push_back(std::move(ready));
  return prometheus::TextSerializer{}.Serialize(families);
}

}  // namespace lvmd::controller
