// Segments that consist of areas on PVs or on other volumes.
#include "lvmd/base/field_reader.hpp"
#include "lvmd/metadata/segment_types.hpp"

namespace lvmd::metadata {
namespace {

// Reads the list `key` of `count` areas with `extents` extents each. An area on another volume
// gives that volume the mark `makes`.
Status read_areas(const ConfigSection& section, const char* key, std::uint64_t count,
                  std::uint64_t extents, std::optional<LvMark> makes, PvTable& pvs,
                  Segment& segment) {
  const auto areas = section.areas(key);
  if (!areas) return std::unexpected(areas.error());
  if (count == 0 || areas->size() != count)
    return fail(Code::kUnimplemented, "{}: {} areas cannot hold {} extents in {} {}",
                section.path(), areas->size(), segment.extents, count, key);
  for (const auto& [name, start] : *areas) {
    if (!pvs.has(name)) {
      segment.references.push_back({.name = name, .makes = makes});
      if (makes) segment.images.push_back(name);
      continue;
    }
    const auto index = pvs.take(section, name, start, extents);
    if (!index) return std::unexpected(index.error());
    segment.on.push_back(*index);
  }
  segment.stripes = static_cast<std::uint32_t>(count);
  return {};
}

}  // namespace

Status read_striped(const ConfigSection& section, PvTable& pvs, Segment& segment) {
  const auto stripes = section.number("stripe_count", UINT16_MAX);
  if (!stripes) return std::unexpected(stripes.error());
  if (*stripes == 0 || segment.extents % *stripes != 0)
    return fail(Code::kUnimplemented, "{}: {} stripes cannot hold {} extents", section.path(),
                *stripes, segment.extents);
  segment.type = *stripes == 1 ? "linear" : "striped";
  return read_areas(section, "stripes", *stripes, segment.extents / *stripes, std::nullopt, pvs,
                    segment);
}

Status read_mirror(const ConfigSection& section, PvTable& pvs, Segment& segment) {
  FieldReader fields;
  const auto images = fields.take(section.number("mirror_count", UINT16_MAX));
  auto log = fields.take(section.text_or_empty("mirror_log"));
  if (auto complete = fields.finish(); !complete) return complete;
  segment.kind = LvKind::kMirror;
  if (!log.empty())
    segment.references.push_back({.name = std::move(log), .makes = LvMark::kMirrorLog});
  if (auto read = read_areas(section, "mirrors", images, segment.extents, LvMark::kMirrorImage, pvs,
                             segment);
      !read)
    return read;
  // While LVM adds an image, it mirrors a temporary mirror, which only the name identifies.
  if (!segment.images.empty() && segment.images.front().contains("_mimagetmp"))
    segment.marks.add(LvMark::kConverting);
  return {};
}

Status read_virtual(const ConfigSection& /*section*/, PvTable& /*pvs*/, Segment& segment) {
  segment.marks.add(LvMark::kVirtual);
  return {};
}

}  // namespace lvmd::metadata
