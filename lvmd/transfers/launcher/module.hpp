// The supervisor's module for movers and the version of restic.
#pragma once

#include <memory>

#include "lvmd/supervisor/module.hpp"

namespace lvmd::transfers {

// An Error names the missing program or folder. `host` must outlive the module.
[[nodiscard]] Result<std::unique_ptr<supervisor::Module>> make_supervisor_module(
    const supervisor::ModuleContext& context, supervisor::Host& host);

}  // namespace lvmd::transfers
