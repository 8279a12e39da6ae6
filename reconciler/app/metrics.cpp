#include "reconciler/app/metrics.hpp"

#include <fmt/format.h>
#include <prometheus/text_serializer.h>

namespace lvmd::reconciler {
namespace {

// controller-runtime's names, so that dashboards for controllers fit.
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
                          const std::optional<OrphanDetector::Counts>& orphans, bool is_store_ready,
                          bool is_lvmd_connected) const {
  std::string text = prometheus::TextSerializer{}.Serialize(registry_.Collect());
  text +=
      "# HELP lvmd_reconciler_volumes This node's objects, by how far they have come.\n"
      "# TYPE lvmd_reconciler_volumes gauge\n";
  for (const auto& [phase, count] : phases)
    text += fmt::format("lvmd_reconciler_volumes{{phase=\"{}\"}} {}\n", to_string(phase), count);
  if (orphans)
    text += fmt::format(
        "# HELP lvmd_reconciler_orphaned_volumes Volumes named like ours without an object.\n"
        "# TYPE lvmd_reconciler_orphaned_volumes gauge\n"
        "lvmd_reconciler_orphaned_volumes {}\n"
        "# HELP lvmd_reconciler_missing_volumes Objects whose volume is not there any more.\n"
        "# TYPE lvmd_reconciler_missing_volumes gauge\n"
        "lvmd_reconciler_missing_volumes {}\n",
        orphans->orphans, orphans->missing);
  text += fmt::format(
      "# HELP lvmd_reconciler_store_ready Whether all objects are known.\n"
      "# TYPE lvmd_reconciler_store_ready gauge\n"
      "lvmd_reconciler_store_ready {:d}\n"
      "# HELP lvmd_reconciler_lvmd_connected Whether lvmd tells its capacity.\n"
      "# TYPE lvmd_reconciler_lvmd_connected gauge\n"
      "lvmd_reconciler_lvmd_connected {:d}\n",
      is_store_ready, is_lvmd_connected);
  return text;
}

}  // namespace lvmd::reconciler
