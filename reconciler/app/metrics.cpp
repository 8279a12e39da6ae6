#include "reconciler/app/metrics.hpp"

#include <prometheus/text_serializer.h>

namespace lvmd::reconciler {
namespace {

// These are controller-runtime's names, so that dashboards for controllers can be used.
prometheus::Counter& reconciliations(prometheus::Registry& registry, const char* result) {
  return prometheus::BuildCounter()
      .Name("controller_runtime_reconcile_total")
      .Help("Passes over an object, by how they ended.")
      .Register(registry)
      .Add({{"controller", "logicalvolume"}, {"result", result}});
}

prometheus::Histogram& reconciliation_seconds(prometheus::Registry& registry) {
  return prometheus::BuildHistogram()
      .Name("controller_runtime_reconcile_time_seconds")
      .Help("How long a pass over an object took.")
      .Register(registry)
      .Add({{"controller", "logicalvolume"}},
           prometheus::Histogram::BucketBoundaries{0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
                                                   5, 10, 30, 60, 120});
}

prometheus::Histogram& provisioning_seconds(prometheus::Registry& registry) {
  return prometheus::BuildHistogram()
      .Name("lvmd_reconciler_provisioning_seconds")
      .Help("From when an object without a volume was first seen until its status has volumeID.")
      .Register(registry)
      .Add({}, prometheus::Histogram::BucketBoundaries{0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
                                                       300, 1800});
}

prometheus::MetricFamily gauge(const char* name, const char* help) {
  return {.name = name, .help = help, .type = prometheus::MetricType::Gauge, .metric = {}};
}

prometheus::ClientMetric& add(prometheus::MetricFamily& family, std::size_t value) {
  prometheus::ClientMetric& metric = family.metric.emplace_back();
  metric.gauge.value = static_cast<double>(value);
  return metric;
}

prometheus::MetricFamily gauge(const char* name, const char* help, std::size_t value) {
  prometheus::MetricFamily family = gauge(name, help);
  add(family, value);
  return family;
}

}  // namespace

Metrics::Metrics()
    : succeeded_(reconciliations(registry_, "success")),
      failed_(reconciliations(registry_, "error")),
      seconds_(reconciliation_seconds(registry_)),
      provisioning_seconds_(provisioning_seconds(registry_)) {}

void Metrics::reconciled(bool succeeded, std::chrono::nanoseconds took) {
  (succeeded ? succeeded_ : failed_).Increment();
  seconds_.Observe(std::chrono::duration<double>(took).count());
}

void Metrics::volume_provisioned(std::chrono::nanoseconds took) {
  provisioning_seconds_.Observe(std::chrono::duration<double>(took).count());
}

std::string Metrics::text(const std::map<Phase, std::size_t>& phases,
                          const std::optional<std::map<std::string, std::size_t>>& csi_states,
                          const std::optional<OrphanDetector::Counts>& orphans, bool is_store_ready,
                          bool is_lvmd_connected) const {
  auto families = registry_.Collect();
  prometheus::MetricFamily volumes =
      gauge("lvmd_reconciler_volumes", "This node's objects, by how far they have come.");
  for (const auto& [phase, count] : phases)
    add(volumes, count).label = {{.name = "phase", .value = std::string{to_string(phase)}}};
  families.push_back(std::move(volumes));
  if (csi_states) {
    prometheus::MetricFamily states =
        gauge("lvmd_reconciler_csi_volumes", "This node's objects, by their status.csiStatus.");
    for (const auto& [state, count] : *csi_states)
      add(states, count).label = {{.name = "state", .value = state}};
    families.push_back(std::move(states));
  }
  if (orphans) {
    families.push_back(gauge("lvmd_reconciler_orphaned_volumes",
                             "Volumes named like ours without an object.", orphans->orphans));
    families.push_back(gauge("lvmd_reconciler_missing_volumes",
                             "Objects whose volume is not there any more.", orphans->missing));
  }
  families.push_back(gauge("lvmd_reconciler_store_ready", "Whether all objects are known.",
                           is_store_ready ? 1 : 0));
  families.push_back(gauge("lvmd_reconciler_lvmd_connected", "Whether lvmd tells its capacity.",
                           is_lvmd_connected ? 1 : 0));
  return prometheus::TextSerializer{}.Serialize(families);
}

}  // namespace lvmd::reconciler
