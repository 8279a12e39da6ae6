#include "lvmd/metadata/segment_parser.hpp"

#include <cstdint>

namespace lvmd::metadata {
namespace {

constexpr std::uint64_t kMaxExtents = UINT32_MAX;

Status read_striped(const ConfigSection& section, PvTable& pvs, Segment& segment) {
  const auto stripes = section.number("stripe_count", UINT16_MAX);
  if (!stripes) return std::unexpected(stripes.error());
  const auto areas = section.areas("stripes");
  if (!areas) return std::unexpected(areas.error());
  if (*stripes == 0 || areas->size() != *stripes || segment.extents % *stripes != 0)
    return fail(Code::kUnimplemented, "{}: {} areas can't hold {} extents in {} stripes",
                section.path(), areas->size(), segment.extents, *stripes);
  const std::uint64_t per_area = segment.extents / *stripes;
  for (const auto& [pv, start] : *areas) {
    const auto found = pvs.index_by_key.find(pv);
    if (found == pvs.index_by_key.end())
      return fail(Code::kUnimplemented, "{}: {} is not a physical volume", section.path(), pv);
    const std::size_t index = found->second;
    if (start > pvs.extents[index] || per_area > pvs.extents[index] - start)
      return fail(Code::kUnimplemented, "{}: the area on {} ends behind its last extent",
                  section.path(), pv);
    pvs.used[index] += per_area;
    segment.on.push_back(index);
  }
  segment.stripes = static_cast<std::uint32_t>(*stripes);
  segment.type = *stripes == 1 ? "linear" : "striped";
  return {};
}

Status read_thin_pool(const ConfigSection& section, Segment& segment) {
  auto data = section.text("pool");
  if (!data) return std::unexpected(data.error());
  auto metadata = section.text("metadata");
  if (!metadata) return std::unexpected(metadata.error());
  const auto transaction = section.number("transaction_id");
  if (!transaction) return std::unexpected(transaction.error());
  const auto zero = section.number_or("zero_new_blocks", 0);
  if (!zero) return std::unexpected(zero.error());
  segment.kind = LvKind::kThinPool;
  segment.pool_data = *std::move(data);
  segment.pool_metadata = *std::move(metadata);
  segment.used_pool = *transaction != 0;
  segment.zeroes_blocks = *zero != 0;
  return {};
}

Status read_thin(const ConfigSection& section, Segment& segment) {
  for (const char* const key : {"external_origin", "merge"})
    if (section.has(key))
      return fail(Code::kUnimplemented, "{} has {}, which lvmd doesn't read from metadata",
                  section.path(), key);
  auto pool = section.text("thin_pool");
  if (!pool) return std::unexpected(pool.error());
  auto origin = section.text_or_empty("origin");
  if (!origin) return std::unexpected(origin.error());
  segment.kind = LvKind::kThin;
  segment.pool = *std::move(pool);
  segment.origin = *std::move(origin);
  return {};
}

}  // namespace

Result<Segment> parse_segment(const ConfigSection& section, PvTable& pvs) {
  auto type = section.text("type");
  if (!type) return std::unexpected(type.error());
  const auto start = section.number("start_extent", kMaxExtents);
  if (!start) return std::unexpected(start.error());
  const auto extents = section.number("extent_count", kMaxExtents);
  if (!extents) return std::unexpected(extents.error());
  if (*extents == 0) return fail(Code::kUnimplemented, "{} is empty", section.path());

  Segment segment;
  segment.type = *type;
  segment.start = *start;
  segment.extents = *extents;
  Status read =
      fail(Code::kUnimplemented, "{}: segment type {} is one that lvmd doesn't read from metadata",
           section.path(), *type);
  if (*type == "striped") {
    read = read_striped(section, pvs, segment);
  } else if (*type == "thin-pool" || *type == "thin-pool+CROP_METADATA") {
    // The flag only tells how much of a very large metadata volume is used.
    segment.type = "thin-pool";
    read = read_thin_pool(section, segment);
  } else if (*type == "thin") {
    read = read_thin(section, segment);
  }
  if (!read) return std::unexpected(read.error());
  return segment;
}

}  // namespace lvmd::metadata
