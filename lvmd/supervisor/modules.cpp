// Registers the modules of the supervisor. No other file of this folder names them.
#include <utility>

#include "lvmd/mounts/launcher/module.hpp"
#include "lvmd/supervisor/module.hpp"
#include "lvmd/transfers/launcher/module.hpp"
#include "lvmd/volumes/launcher/module.hpp"

namespace lvmd::supervisor {

Result<Modules> make_modules(const ModuleContext& context, Host& host) {
  Modules modules;
  for (const auto& make : {&volumes::make_supervisor_module, &mounts::make_supervisor_module,
                           &transfers::make_supervisor_module}) {
    auto module = make(context, host);
    if (!module) return std::unexpected(module.error());
    modules.push_back(std::move(*module));
  }
  return modules;
}

}  // namespace lvmd::supervisor
