// The movers, and the version of restic, as a module of the supervisor.
#pragma once

#include <memory>

#include "lvmd/supervisor/module.hpp"

namespace lvmd::transfers {

// An Error names the program or the folder that is missing. `host` must outlive the module.
[[nodiscard]] Result<std::unique_ptr<supervisor::Module>> make_supervisor_module(
    const supervisor::ModuleContext& context, supervisor::Host& host);

}  // namespace lvmd::transfers
