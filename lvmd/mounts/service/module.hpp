// MountService as a module of the server.
#pragma once

#include <memory>

#include "lvmd/mounts/service/call_failures.hpp"
#include "lvmd/mounts/service/mounter_client.hpp"
#include "lvmd/server/host.hpp"
#include "lvmd/server/module.hpp"
#include "lvmd/volumes/service/backend.hpp"

namespace lvmd::mounts {

class ServerModule : public server::Module {
 public:
  // For the CSI driver, which starts mounters for its calls and reports those that fail. Both live
  // as long as the module.
  [[nodiscard]] virtual MounterClient& mounters() = 0;
  [[nodiscard]] virtual CallFailures& call_failures() = 0;
};

// Both references must outlive the module.
[[nodiscard]] std::unique_ptr<ServerModule> make_server_module(server::Host& host,
                                                               const internal::ServerSetup& setup,
                                                               volumes::Backend& backend);

}  // namespace lvmd::mounts
