// lvmd's command line. Rules P-CLI-1 to P-CLI-6.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::supervisor {

enum class Action { kServe, kCheckConfig, kHealth };

struct Options {
  Action action = Action::kServe;
  // Of --config, or check-config's argument.
  std::string config_path;
  // TopoLVM's deprecated --lvm-path: an lvm-command-prefix of one word; excludes that key
  // (P-CFG-30).
  std::optional<std::string> lvm_path;
  // Of TopoLVM's --metrics-bind-address; it comes before the file's metrics-address (P-CLI-8).
  std::optional<std::string> metrics_flag;
  // Flags of TopoLVM that were given and have no effect here.
  std::vector<std::string> without_effect;
};

// What the command line asks for. When it was answered already (--help, --version) or is wrong, the
// exit status: help and version were printed to stdout, an error that names the word to stderr.
struct Parsed {
  std::optional<Options> options;
  int exit_status = 0;
};

[[nodiscard]] Parsed parse_command_line(int argc, const char* const* argv);

}  // namespace lvmd::supervisor
