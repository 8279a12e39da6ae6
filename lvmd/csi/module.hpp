// Plugs the CSI driver of the node into lvmd-server: the CSI services for kubelet, and kubelet's
// registration. Rules: P-CSI of docs/protocol.md.
#pragma once

#include <memory>

#include "internal/control.pb.h"
#include "lvmd/mounts/service/module.hpp"
#include "lvmd/server/health_service.hpp"
#include "lvmd/server/host.hpp"
#include "lvmd/server/module.hpp"
#include "lvmd/volumes/service/backend.hpp"

namespace lvmd::csi {

// `setup` has `csi`. The other references must outlive the module.
[[nodiscard]] std::unique_ptr<server::Module> make_server_module(server::Host& host,
                                                                 const internal::ServerSetup& setup,
                                                                 const server::HealthSource& health,
                                                                 volumes::Backend& backend,
                                                                 mounts::ServerModule& mounts);

}  // namespace lvmd::csi
