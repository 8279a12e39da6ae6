// What a reload of lvmd.yaml changes. Rules P-RELOAD-1 and P-RELOAD-3.
#pragma once

#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/config/config.hpp"

namespace lvmd::supervisor {

struct Reload {
  // What is in force from now on: the file's classes, and the running values of what only a restart
  // changes.
  config::Config config;
  // The file's own warnings, and one for each key that needs a restart.
  std::vector<std::string> warnings;
};

// Reads the file anew beside the configuration that runs. An error, with a line for each finding,
// when the file can't be had or breaks a rule: then nothing changes.
[[nodiscard]] Result<Reload> reload_config(const std::string& path, const config::Config& running);

// "device classes: ssd new, old gone, thin changed", for the log; "no class changed" when that is
// so.
[[nodiscard]] std::string describe_change(const model::ClassCatalog& before,
                                          const model::ClassCatalog& after);

}  // namespace lvmd::supervisor
