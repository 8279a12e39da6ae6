// The entries of one YAML mapping.
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

// True if the keys are equal except for upper and lower case. TopoLVM accepts "Spare-GB" for
// "spare-gb".
[[nodiscard]] bool is_same_key(std::string_view a, std::string_view b);

// The place of `key` in the mapping at place `mapping`.
[[nodiscard]] Place place_in(const Place& mapping, std::string_view key, int line);

// The entries of `node`, which is a mapping, in the order of the file. Then follow entries merged
// with
// "<<" whose keys the mapping does not have. Reports an error for a key that is given twice,
// regardless of upper and lower case.
[[nodiscard]] std::vector<Entry> read_entries(const YAML::Node& node, const Place& place,
                                              Findings& findings);

}  // namespace lvmd::config
