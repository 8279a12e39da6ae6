// lvmd in the foreground: from a checked configuration to the end of the last child.
#pragma once

#include <optional>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/config/config.hpp"
#include "lvmd/supervisor/module.hpp"

namespace lvmd::supervisor {

struct Start {
  config::Config config;
  // The file that `config` came from.
  std::string config_path;
  // Where metrics are served, by the file or by the command line; absent: nowhere.
  std::optional<config::MetricsAddress> metrics;
};

// Opens the sockets, starts the children, tells systemd, and stays until SIGTERM or SIGINT has
// stopped everything. SIGHUP reads the file anew. An Error when the start failed. Call it once,
// from a single-threaded process.
[[nodiscard]] Status run(const Start& start, MakeModules make_modules);

}  // namespace lvmd::supervisor
