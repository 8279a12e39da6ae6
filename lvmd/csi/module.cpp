#include "lvmd/csi/module.hpp"

#include "lvmd/csi/identity_service.hpp"
#include "lvmd/csi/node_service.hpp"
#include "lvmd/csi/registration_service.hpp"

namespace lvmd::csi {
namespace {

class ServerModule final : public server::Module {
 public:
  ServerModule(const NodeContext& context, const internal::CsiSetup& setup,
               const server::HealthSource& health)
      : identity_(context.host, setup.driver_name(), health),
        node_(context, setup, health),
        registration_(context.host, setup) {}

  std::vector<grpc::Service*> services(server::SocketKind kind) override {
    if (kind == server::SocketKind::kCsi) return {&identity_, &node_};
    if (kind == server::SocketKind::kRegistration) return {&registration_};
    return {};
  }

 private:
  IdentityService identity_;
  NodeService node_;
  RegistrationService registration_;
};

}  // namespace

std::unique_ptr<server::Module> make_server_module(server::Host& host,
                                                   const internal::ServerSetup& setup,
                                                   const server::HealthSource& health,
                                                   volumes::Backend& backend,
                                                   mounts::ServerModule& mounts) {
  const NodeContext context{.host = host,
                            .backend = backend,
                            .mounters = mounts.mounters(),
                            .failures = mounts.call_failures()};
  return std::make_unique<ServerModule>(context, setup.csi(), health);
}

}  // namespace lvmd::csi
