// From the text of lvmd.yaml to a Config.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/config/config.hpp"

namespace lvmd::config {

struct ParsedConfig {
  Config config;
  // What the file says without effect, one "FILE:LINE: KEY: REASON" each, in the file's order.
  // Empty for a strict configuration: there they are errors.
  std::vector<std::string> warnings;
};

// Reads `text` the way TopoLVM does (YAML as JSON: null is "not given", keys match whatever their
// case), but checks everything. Pure; no exception leaves it.
//
// InvalidArgument when a rule is broken: "FILE:LINE: KEY: REASON", one line for each finding, in
// the file's order. `file_name` is what stands for FILE.
[[nodiscard]] Result<ParsedConfig> parse_config(std::string_view text, std::string_view file_name);

// parse_config() of a file. One that can't be read: an error that names it and the system's reason.
[[nodiscard]] Result<ParsedConfig> load_config(const std::string& path);

}  // namespace lvmd::config
