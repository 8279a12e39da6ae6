// Registers the modules of the server. No other file of this folder names them.
#include <utility>

#include "lvmd/csi/module.hpp"
#include "lvmd/mounts/service/module.hpp"
#include "lvmd/server/host.hpp"
#include "lvmd/server/module.hpp"
#include "lvmd/transfers/service/module.hpp"
#include "lvmd/volumes/service/module.hpp"

namespace lvmd::server {

Result<Modules> make_modules(Host& host, const internal::ServerSetup& setup) {
  auto volumes = volumes::make_server_module(host, setup);
  if (!volumes) return std::unexpected(volumes.error());
  volumes::Backend& backend = (*volumes)->backend();
  HealthSource& health = (*volumes)->health();
  std::vector<std::unique_ptr<Module>> modules;
  modules.push_back(std::move(*volumes));
  auto mounts = mounts::make_server_module(host, setup, backend);
  mounts::ServerModule& mount_module = *mounts;
  modules.push_back(std::move(mounts));
  modules.push_back(transfers::make_server_module(host, setup, backend));
  if (setup.has_csi())
    modules.push_back(csi::make_server_module(host, setup, health, backend, mount_module));
  return Modules{std::move(modules), health};
}

}  // namespace lvmd::server
