// Parses lvmd.yaml.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/config/config.hpp"

namespace lvmd::config {

struct ParsedConfig {
  Config config;
  // Settings without the apparent effect: one text "FILE:LINE: KEY: REASON" each, in the order of
  // the file. Empty for a strict configuration, where they are errors.
  std::vector<std::string> warnings;
};

// Parses `text` as TopoLVM does (null means "not given", keys are not case-sensitive), and checks
// all rules. Pure; throws no exception.
//
// InvalidArgument if a rule is broken. The message has one line "FILE:LINE: KEY: REASON" for each
// error, in the order of the file. FILE is `file_name`.
[[nodiscard]] Result<ParsedConfig> parse_config(std::string_view text, std::string_view file_name);

// parse_config() for the file `path`. If the file cannot be read, returns errno_error() with the
// path.
[[nodiscard]] Result<ParsedConfig> load_config(const std::string& path);

}  // namespace lvmd::config
