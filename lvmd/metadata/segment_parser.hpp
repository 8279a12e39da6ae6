// Parses one segment of a logical volume: a range of extents with the same mapping.
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

// A reference of a segment to another volume.
struct Reference {
  std::string name;
  // The mark that the reference sets on the other volume. Absent: none.
  std::optional<LvMark> makes;
  // True if the segment's volume is incomplete without the other volume.
  bool needed = true;
};

struct Segment {
  LvKind kind = LvKind::kPlain;
  // The type as in lvs: "linear" for a striped segment with one stripe.
  std::string type;
  std::uint64_t start = 0;
  std::uint64_t extents = 0;
  // The part of `extents` that is reserved for a reshape and does not count in the volume's size.
  std::uint64_t reshape_extents = 0;
  // The marks for the segment's own volume.
  LvMarks marks;
  // In LVM's order.
  std::vector<Reference> references;
  // As in LvMetadata.
  std::uint32_t stripes = 1;
  std::string pool;
  std::string origin;
  std::vector<std::string> images;
  std::vector<std::string> raid_metadata;
  bool zeroes_blocks = false;
  std::uint64_t transaction_id = 0;
  bool has_messages = false;
  std::vector<std::size_t> on;
  // Only for snapshot pairs: the COW snapshot, and whether it is being merged into the origin.
  std::string cow;
  bool merging = false;
};

// Parses a segment and marks its extents as used in `pvs`. Supports all types of LVM except vdo,
// vdo-pool and integrity. Unimplemented for any other type or flag, and for areas outside of a PV.
// Does not check references to other volumes.
[[nodiscard]] Result<Segment> parse_segment(const ConfigSection& section, PvTable& pvs);

}  // namespace lvmd::metadata
