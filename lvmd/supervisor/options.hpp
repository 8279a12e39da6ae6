// The command line of lvmd. Rules P-CLI-1 to P-CLI-6 and P-CLI-11.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::supervisor {

enum class Action { kServe, kCheckConfig, kHealth, kReleaseStaging };

struct Options {
  Action action = Action::kServe;
  // The value of --config, or the argument of check-config.
  std::string config_path;
  // The value of TopoLVM's deprecated --lvm-path: an lvm-command-prefix of one argument. Excludes
  // that key (P-CFG-30).
  std::optional<std::string> lvm_path;
  // The value of TopoLVM's --metrics-bind-address. Overrides the file's metrics-address (P-CLI-8).
  std::optional<std::string> metrics_flag;
  // Flags of TopoLVM on the command line that have no effect in lvmd.
  std::vector<std::string> without_effect;
};

// The parsed command line. `options` is absent when help or version was printed to stdout, or an
// error that names the argument to stderr; the process ends with `exit_status` then.
struct Parsed {
  std::optional<Options> options;
  int exit_status = 0;
};

[[nodiscard]] Parsed parse_command_line(int argc, const char* const* argv);

}  // namespace lvmd::supervisor
