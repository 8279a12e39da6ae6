// One logical volume's section of the metadata text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/config_tree.hpp"
#include "lvmd/metadata/volume_group_metadata.hpp"

namespace lvmd::metadata {

// The physical volumes of a text, by the names that segments use for them ("pv0").
struct PvTable {
  std::map<std::string, std::size_t, std::less<>> index_by_key;
  // By index: how many extents each has, and how many of them volumes have taken.
  std::vector<std::uint64_t> extents;
  std::vector<std::uint64_t> used;
};

// The volume that `section` describes. Adds the extents that it takes to `pvs.used`. Unimplemented
// as parse_group tells. What it says of other volumes isn't checked.
[[nodiscard]] Result<LvMetadata> parse_lv(const std::string& name, const ConfigSection& section,
                                          PvTable& pvs);

}  // namespace lvmd::metadata
