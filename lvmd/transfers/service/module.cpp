#include "lvmd/transfers/service/module.hpp"

#include "lvmd/transfers/service/supervisor_link.hpp"
#include "lvmd/transfers/service/transfer_control.hpp"
#include "lvmd/transfers/service/transfer_metrics.hpp"
#include "lvmd/transfers/service/transfer_service.hpp"

namespace lvmd::transfers {
namespace {

class ServerModule final : public server::Module {
 public:
  ServerModule(server::Host& host, const internal::ServerSetup& setup, volumes::Backend& backend)
      : link_([&host](const internal::ChildEvent& event) { return host.send(event); }),
        control_(setup.transfers(), link_, backend),
        service_(host, backend, control_) {}

  std::vector<grpc::Service*> services() override { return {&service_}; }

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
