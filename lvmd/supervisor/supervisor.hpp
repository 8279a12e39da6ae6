// lvmd in the foreground: from a checked configuration to the end of the last child.
#pragma once

#include "lvmd/base/result.hpp"
#include "lvmd/config/config.hpp"

namespace lvmd::supervisor {

// Opens the sockets, starts the children, tells systemd, and stays until SIGTERM or SIGINT has
// stopped everything. An Error when the start failed. Call it once, from a single-threaded process.
[[nodiscard]] Status run(const config::Config& config);

}  // namespace lvmd::supervisor
