// Parses the section of one logical volume.
#pragma once

#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/config_tree.hpp"
#include "lvmd/metadata/pv_table.hpp"
#include "lvmd/metadata/segment_parser.hpp"
#include "lvmd/metadata/volume_group_metadata.hpp"

namespace lvmd::metadata {

// A volume, and the segments whose references connect() resolves.
struct ParsedLv {
  LvMetadata lv;
  std::vector<Segment> segments;
};

// The volume in `section`. Marks its extents as used in `pvs`. Unimplemented as in parse_group().
// Does not check references to other volumes.
[[nodiscard]] Result<ParsedLv> parse_lv(std::string_view name, const ConfigSection& section,
                                        PvTable& pvs);

}  // namespace lvmd::metadata
