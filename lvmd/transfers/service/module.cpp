#include "lvmd/transfers/service/module.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "lvmd/transfers/record/record_name.hpp"
#include "lvmd/transfers/service/supervisor_link.hpp"
#include "lvmd/transfers/service/transfer_control.hpp"
#include "lvmd/transfers/service/transfer_service.hpp"

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

// `lvmd_transfers` by operation and phase [P-METRIC-6]. Has a sample of 0 where there is none, so
// that a change is visible.
prometheus::MetricFamily transfer_metric(const std::vector<v1::Transfer>& transfers) {
  prometheus::MetricFamily family{.name = "lvmd_transfers",
                                  .help = "Transfers with a record, by operation and phase.",
                                  .type = prometheus::MetricType::Gauge,
                                  .metric = {}};
  for (const v1::Operation operation : kOperations)
    for (const auto& each : kPhases) {
      const v1::Phase phase = each.first;
      prometheus::ClientMetric& metric = family.metric.emplace_back();
      metric.label = {{.name = "operation", .value = std::string{operation_name(operation)}},
                      {.name = "phase", .value = std::string{each.second}}};
      metric.gauge.value = static_cast<double>(
          std::ranges::count_if(transfers, [operation, phase](const v1::Transfer& transfer) {
            return transfer.operation() == operation && transfer.phase() == phase;
          }));
    }
  return family;
}

class ServerModule final : public server::Module {
 public:
  ServerModule(server::Host& host, const internal::ServerSetup& setup, volumes::Backend& backend)
      : link_([&host](const internal::ChildEvent& event) { return host.send(event); }),
        control_(setup.transfers(), link_, backend),
        service_(host, backend, control_) {}

  std::vector<grpc::Service*> services(server::SocketKind kind) override {
    if (kind != server::SocketKind::kFull) return {};
    return {&service_};
  }

  Result<bool> handle(server::SupervisorFrame& frame) override {
    const internal::ControlFrame& message = frame.message;
    if (message.has_transfer()) {
      link_.take_reply(message.transfer());
    } else if (message.has_restic()) {
      control_.set_restic(message.restic());
    } else {
      return false;
    }
    return true;
  }
  void supervisor_lost() override { link_.supervisor_lost(); }

  std::vector<prometheus::MetricFamily> metrics() override {
    return {transfer_metric(control_.index().list())};
  }
  void stop(const Error& reason) override { control_.index().end(reason); }

 private:
  SupervisorLink link_;
  TransferControl control_;
  TransferService service_;
};

}  // namespace

std::unique_ptr<server::Module> make_server_module(server::Host& host,
                                                   const internal::ServerSetup& setup,
                                                   volumes::Backend& backend) {
  return std::make_unique<ServerModule>(host, setup, backend);
}

}  // namespace lvmd::transfers
