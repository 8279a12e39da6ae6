#include "lvmd/transfers/service/transfer_metrics.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "lvmd/transfers/record/record_name.hpp"

namespace lvmd::transfers {
namespace {

constexpr std::array kOperations{v1::OPERATION_BACKUP, v1::OPERATION_RESTORE, v1::OPERATION_DELETE,
                                 v1::OPERATION_CHECK};
constexpr std::array<std::pair<v1::Phase, std::string_view>, 5> kPhases{
    {{v1::PHASE_PENDING, "pending"},
     {v1::PHASE_RUNNING, "running"},
     {v1::PHASE_SUCCEEDED, "succeeded"},
     {v1::PHASE_FAILED, "failed"},
     {v1::PHASE_CANCELLED, "cancelled"}}};

}  // namespace

prometheus::MetricFamily transfer_metric(const std::vector<v1::Transfer>& transfers) {
  prometheus::MetricFamily family{.name = "lvmd_transfers",
                                  .help = "Transfers with a record, by operation and phase.",
                                  .type = prometheus::MetricType::Gauge,
                                  .metric = {}};
  for (const v1::Operation operation : kOperations)
    for (const auto& [phase, name] : kPhases) {
      prometheus::ClientMetric& metric = family.metric.emplace_back();
      metric.label = {{.name = "operation", .value = std::string{operation_name(operation)}},
                      {.name = "phase", .value = std::string{name}}};
      metric.gauge.value = static_cast<double>(
          std::ranges::count_if(transfers, [operation, phase](const v1::Transfer& transfer) {
            return transfer.operation() == operation && transfer.phase() == phase;
          }));
    }
  return family;
}

}  // namespace lvmd::transfers
