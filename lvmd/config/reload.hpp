// The result of reloading lvmd.yaml. Rules P-RELOAD-1 and P-RELOAD-3.
#pragma once

#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/config/config.hpp"

namespace lvmd::config {

struct Reload {
  // The configuration to apply: the file's classes, and the running values of the keys that only a
  // restart changes.
  Config config;
  // The warnings about the file, and one for each changed key that needs a restart.
  std::vector<std::string> warnings;
};

// Reads the file again. An Error, with a line for each finding, when the file can't be read or is
// invalid; the running configuration then stays in force.
[[nodiscard]] Result<Reload> reload_config(const std::string& path, const Config& running);

// The changes for the log, such as "device classes: ssd new, old gone, thin changed" or "no class
// changed".
[[nodiscard]] std::string describe_change(const model::ClassCatalog& before,
                                          const model::ClassCatalog& after);

}  // namespace lvmd::config
