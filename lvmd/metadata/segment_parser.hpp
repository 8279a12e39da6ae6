// One segment of a logical volume: a run of extents that are mapped in one way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/metadata/config_tree.hpp"
#include "lvmd/metadata/pv_table.hpp"
#include "lvmd/metadata/volume_group_metadata.hpp"

namespace lvmd::metadata {

// Another volume that a segment names.
struct Reference {
  std::string name;
  // What the segment makes of it; absent where it doesn't make it a part of its own volume.
  std::optional<LvMark> makes;
  // Without it the segment's volume is not whole.
  bool needed = true;
};

struct Segment {
  LvKind kind = LvKind::kPlain;
  // As lvs names it: "linear" where the text says striped over one.
  std::string type;
  std::uint64_t start = 0;
  std::uint64_t extents = 0;
  // Of these, how many are room for a reshape and no part of the volume's size.
  std::uint64_t reshape_extents = 0;
  // What it says of its own volume.
  LvMarks marks;
  // In the order in which LVM follows them.
  std::vector<Reference> references;
  // The rest as LvMetadata has it.
  std::uint32_t stripes = 1;
  std::string pool;
  std::string origin;
  std::vector<std::string> images;
  std::vector<std::string> raid_metadata;
  bool zeroes_blocks = false;
  std::uint64_t transaction_id = 0;
  bool has_messages = false;
  std::vector<std::size_t> on;
  // Snapshot pairs: the COW snapshot, and whether it is merged into the origin.
  std::string cow;
  bool merging = false;
};

// Knows every type of LVM's but vdo, vdo-pool and integrity; takes the segment's extents from
// `pvs`. Unimplemented for any other type or flag, and for areas that aren't extents of a known
// physical volume. Whether the volumes that it names are there isn't checked.
[[nodiscard]] Result<Segment> parse_segment(const ConfigSection& section, PvTable& pvs);

}  // namespace lvmd::metadata
