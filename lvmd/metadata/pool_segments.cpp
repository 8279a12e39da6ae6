// Segments that refer to whole volumes: pools, thin volumes, caches.
#include <algorithm>

#include "lvmd/base/field_reader.hpp"
#include "lvmd/metadata/segment_types.hpp"

namespace lvmd::metadata {
namespace {

// Reads the data volume and the metadata volume of a pool.
Status read_parts(const ConfigSection& section, const char* data_key, LvMark data, LvMark metadata,
                  Segment& segment) {
  FieldReader read;
  auto metadata_name = read.take(section.text("metadata"));
  auto data_name = read.take(section.text(data_key));
  segment.references.push_back({.name = std::move(metadata_name), .makes = metadata});
  segment.references.push_back({.name = std::move(data_name), .makes = data});
  return read.finish();
}

}  // namespace

Status read_thin_pool(const ConfigSection& section, PvTable& /*pvs*/, Segment& segment) {
  FieldReader read;
  segment.kind = LvKind::kThinPool;
  segment.transaction_id = read.take(section.number("transaction_id"));
  segment.zeroes_blocks = read.take(section.number_or("zero_new_blocks", 0)) != 0;
  segment.has_messages = std::ranges::any_of(
      section.sections(), [](const auto& child) { return child.first.starts_with("message"); });
  if (auto complete = read.finish(); !complete) return complete;
  return read_parts(section, "pool", LvMark::kThinPoolData, LvMark::kThinPoolMetadata, segment);
}

Status read_thin(const ConfigSection& section, PvTable& /*pvs*/, Segment& segment) {
  FieldReader read;
  segment.kind = LvKind::kThin;
  segment.pool = read.take(section.text("thin_pool"));
  auto origin = read.take(section.text_or_empty("origin"));
  auto external = read.take(section.text_or_empty("external_origin"));
  auto merged_into = read.take(section.text_or_empty("merge"));
  if (!external.empty())
    segment.references.push_back({.name = external, .makes = LvMark::kExternalOrigin});
  segment.references.push_back({.name = segment.pool, .makes = std::nullopt});
  // A thin volume does not need its origin.
  if (!origin.empty())
    segment.references.push_back({.name = origin, .makes = std::nullopt, .needed = false});
  if (!merged_into.empty()) {
    segment.marks.add(LvMark::kMergingSnapshot);
    segment.references.push_back(
        {.name = std::move(merged_into), .makes = LvMark::kMergingOrigin, .needed = false});
  }
  segment.origin = origin.empty() ? std::move(external) : std::move(origin);
  return read.finish();
}

Status read_cache_pool(const ConfigSection& section, PvTable& /*pvs*/, Segment& segment) {
  segment.kind = LvKind::kCachePool;
  return read_parts(section, "data", LvMark::kCachePoolData, LvMark::kCachePoolMetadata, segment);
}

Status read_cache(const ConfigSection& section, PvTable& /*pvs*/, Segment& segment) {
  FieldReader read;
  segment.kind = LvKind::kCache;
  segment.pool = read.take(section.text("cache_pool"));
  segment.origin = read.take(section.text("origin"));
  // Only a cache volume has data and metadata in the same volume.
  const bool on_volume = section.has("metadata_start");
  segment.references.push_back(
      {.name = segment.pool, .makes = on_volume ? LvMark::kCacheVolume : LvMark::kUsedCachePool});
  segment.references.push_back({.name = segment.origin, .makes = LvMark::kCacheOrigin});
  return read.finish();
}

Status read_writecache(const ConfigSection& section, PvTable& /*pvs*/, Segment& segment) {
  FieldReader read;
  segment.kind = LvKind::kWritecache;
  auto fast = read.take(section.text("writecache"));
  segment.origin = read.take(section.text("origin"));
  segment.references.push_back({.name = std::move(fast), .makes = LvMark::kCacheVolume});
  segment.references.push_back({.name = segment.origin, .makes = LvMark::kWritecacheOrigin});
  return read.finish();
}

Status read_snapshot(const ConfigSection& section, PvTable& /*pvs*/, Segment& segment) {
  FieldReader read;
  segment.kind = LvKind::kSnapshotPair;
  segment.merging = section.has("merging_store");
  segment.cow = read.take(section.text(segment.merging ? "merging_store" : "cow_store"));
  segment.origin = read.take(section.text("origin"));
  return read.finish();
}

}  // namespace lvmd::metadata
