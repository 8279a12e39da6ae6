// The gRPC services about volumes, and the state that other modules of the server use.
#pragma once

#include <memory>

#include "lvmd/server/host.hpp"
#include "lvmd/server/module.hpp"
#include "lvmd/volumes/service/backend.hpp"

namespace lvmd::volumes {

class ServerModule : public server::Module {
 public:
  // Both live as long as the module.
  [[nodiscard]] virtual Backend& backend() = 0;
  [[nodiscard]] virtual server::HealthSource& health() = 0;
};

// InvalidArgument when a device class of `setup` names a volume group that is not in its list.
// `host` must outlive the module.
[[nodiscard]] Result<std::unique_ptr<ServerModule>> make_server_module(
    server::Host& host, const internal::ServerSetup& setup);

}  // namespace lvmd::volumes
