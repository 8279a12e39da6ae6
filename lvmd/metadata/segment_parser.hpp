// One segment of a logical volume: a run of extents that are mapped in one way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/config_tree.hpp"
#include "lvmd/metadata/lv_parser.hpp"
#include "lvmd/metadata/volume_group_metadata.hpp"

namespace lvmd::metadata {

struct Segment {
  LvKind kind = LvKind::kPlain;
  // As lvs names it: "linear" where the text says striped over one.
  std::string type;
  std::uint64_t start = 0;
  std::uint64_t extents = 0;
  // The rest as LvMetadata has it.
  std::uint32_t stripes = 1;
  std::string pool;
  std::string origin;
  std::string pool_data;
  std::string pool_metadata;
  bool zeroes_blocks = false;
  bool used_pool = false;
  std::vector<std::size_t> on;
};

// Knows linear, striped, thin-pool and thin; adds what the segment takes to `pvs.used`.
// Unimplemented for any other type or flag, an external origin, a merge that is going on, and
// areas that aren't extents of a known physical volume.
[[nodiscard]] Result<Segment> parse_segment(const ConfigSection& section, PvTable& pvs);

}  // namespace lvmd::metadata
