// The keys of one mapping of the file with their values.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <string_view>
#include <vector>

#include "lvmd/config/findings.hpp"

namespace lvmd::config {

struct Entry {
  std::string key;
  int line;
  YAML::Node value;
};

// TopoLVM takes "Spare-GB" for "spare-gb".
[[nodiscard]] bool is_same_key(std::string_view a, std::string_view b);

// The path of `key` in the mapping at `mapping`.
[[nodiscard]] Place place_in(const Place& mapping, std::string_view key, int line);

// In the file's order, then those that "<<" merges in and the mapping doesn't have itself. A key
// given twice, whatever its case, is an error. `node` is a mapping.
[[nodiscard]] std::vector<Entry> read_entries(const YAML::Node& node, const Place& place,
                                              Findings& findings);

}  // namespace lvmd::config
