// One logical volume's section of the metadata text.
#pragma once

#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/config_tree.hpp"
#include "lvmd/metadata/pv_table.hpp"
#include "lvmd/metadata/segment_parser.hpp"
#include "lvmd/metadata/volume_group_metadata.hpp"

namespace lvmd::metadata {

// A volume by itself, and the segments whose references connect() follows.
struct ParsedLv {
  LvMetadata lv;
  std::vector<Segment> segments;
};

// The volume that `section` describes. Takes its extents from `pvs`. Unimplemented as parse_group
// tells. What it says of other volumes isn't checked.
[[nodiscard]] Result<ParsedLv> parse_lv(const std::string& name, const ConfigSection& section,
                                        PvTable& pvs);

}  // namespace lvmd::metadata
