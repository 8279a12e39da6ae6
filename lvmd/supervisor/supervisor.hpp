// Runs lvmd from a valid configuration to the end of the last child.
#pragma once

#include <optional>
#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/config/config.hpp"
#include "lvmd/supervisor/module.hpp"

namespace lvmd::supervisor {

struct Start {
  config::Config config;
  // The file from which `config` was read.
  std::string config_path;
  // Where metrics are served, by the file or the command line. Absent: no metrics.
  std::optional<config::MetricsAddress> metrics;
};

// Opens the sockets, starts the children, notifies systemd, and returns when SIGTERM or SIGINT has
// stopped everything. SIGHUP reloads the file. An Error when the start failed. Call it once, from a
// single-threaded process.
[[nodiscard]] Status run(const Start& start, MakeModules make_modules);

}  // namespace lvmd::supervisor
