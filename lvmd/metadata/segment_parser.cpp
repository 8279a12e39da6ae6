#include "lvmd/metadata/segment_parser.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "lvmd/base/field_reader.hpp"
#include "lvmd/metadata/segment_types.hpp"

namespace lvmd::metadata {
namespace {

constexpr std::uint64_t kMaxExtents = UINT32_MAX;

using Reader = Status (*)(const ConfigSection&, PvTable&, Segment&);

struct SegmentType {
  std::string_view name;
  Reader read;
};

constexpr std::array<SegmentType, 31> kTypes{{
    {"striped", &read_striped},   {"mirror", &read_mirror},
    {"error", &read_virtual},     {"zero", &read_virtual},
    {"raid0", &read_raid},        {"raid0_meta", &read_raid},
    {"raid1", &read_raid},        {"raid4", &read_raid},
    {"raid5", &read_raid},        {"raid5_n", &read_raid},
    {"raid5_la", &read_raid},     {"raid5_ls", &read_raid},
    {"raid5_ra", &read_raid},     {"raid5_rs", &read_raid},
    {"raid6", &read_raid},        {"raid6_n_6", &read_raid},
    {"raid6_zr", &read_raid},     {"raid6_nr", &read_raid},
    {"raid6_nc", &read_raid},     {"raid6_la_6", &read_raid},
    {"raid6_ls_6", &read_raid},   {"raid6_ra_6", &read_raid},
    {"raid6_rs_6", &read_raid},   {"raid10", &read_raid},
    {"raid10_near", &read_raid},  {"thin-pool", &read_thin_pool},
    {"thin", &read_thin},         {"cache-pool", &read_cache_pool},
    {"cache", &read_cache},       {"writecache", &read_writecache},
    {"snapshot", &read_snapshot},
}};

// LVM appends flags that older versions must not ignore to the type: "cache+CACHE_USES_CACHEVOL".
constexpr std::array<std::string_view, 8> kTypeFlags{"RESHAPE",
                                                     "RESHAPE_DATA_OFFSET",
                                                     "RESHAPE_DELTA_DISKS_PLUS",
                                                     "RESHAPE_DELTA_DISKS_MINUS",
                                                     "REMOVE_AFTER_RESHAPE",
                                                     "METADATA_FORMAT",
                                                     "CROP_METADATA",
                                                     "CACHE_USES_CACHEVOL"};

// Removes the flags from `type` and adds their marks.
Status read_type_flags(const ConfigSection& section, std::string_view& type, LvMarks& marks) {
  std::string_view flags = type.substr(std::min(type.find('+'), type.size()));
  const std::string_view whole = type;
  type.remove_suffix(flags.size());
  while (!flags.empty()) {
    flags.remove_prefix(1);
    const std::string_view flag = flags.substr(0, flags.find('+'));
    if (std::ranges::find(kTypeFlags, flag) == kTypeFlags.end())
      return fail(Code::kUnimplemented, "{}: lvmd cannot read the segment type {} from metadata",
                  section.path(), whole);
    if (flag == "REMOVE_AFTER_RESHAPE") marks.add(LvMark::kRemoveAfterReshape);
    flags.remove_prefix(flag.size());
  }
  return {};
}

}  // namespace

Result<Segment> parse_segment(const ConfigSection& section, PvTable& pvs) {
  FieldReader fields;
  Segment segment;
  const auto text = fields.take(section.text("type"));
  segment.start = fields.take(section.number("start_extent", kMaxExtents));
  segment.extents = fields.take(section.number("extent_count", kMaxExtents));
  if (auto complete = fields.finish(); !complete) return std::unexpected(complete.error());
  if (segment.extents == 0) return fail(Code::kUnimplemented, "{} is empty", section.path());

  std::string_view type = text;
  if (auto read = read_type_flags(section, type, segment.marks); !read)
    return std::unexpected(read.error());
  const auto* const known = std::ranges::find(kTypes, type, &SegmentType::name);
  if (known == kTypes.end())
    return fail(Code::kUnimplemented, "{}: lvmd cannot read the segment type {} from metadata",
                section.path(), type);
  segment.type = type;
  if (auto read = known->read(section, pvs, segment); !read) return std::unexpected(read.error());
  return segment;
}

}  // namespace lvmd::metadata
