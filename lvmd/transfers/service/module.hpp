// The server's module for TransferService.
#pragma once

#include <memory>

#include "lvmd/server/host.hpp"
#include "lvmd/server/module.hpp"
#include "lvmd/volumes/service/backend.hpp"

namespace lvmd::transfers {

// Both references must outlive the module. Detach `backend` before destroying the module.
[[nodiscard]] std::unique_ptr<server::Module> make_server_module(server::Host& host,
                                                                 const internal::ServerSetup& setup,
                                                                 volumes::Backend& backend);

}  // namespace lvmd::transfers
