// Segments that refer to whole volumes: pools, thin volumes, caches.
#include <algorithm>

#include "lvmd/metadata/segment_types.hpp"

namespace lvmd::metadata {
namespace {

// Reads the data volume and the metadata volume of a pool.
Status read_parts(const ConfigSection& section, const char* data_key, LvMark data, LvMark metadata,
                  Segment& segment) {
  auto metadata_name = section.text("metadata");
  if (!metadata_name) return std::unexpected(metadata_name.error());
  auto data_name = section.text(data_key);
  if (!data_name) return std::unexpected(data_name.error());
  segment.references.push_back({.name = *std::move(metadata_name), .makes = metadata});
  segment.references.push_back({.name = *std::move(data_name), .makes = data});
  return {};
}

}  // namespace

Status read_thin_pool(const ConfigSection& section, PvTable& /*pvs*/, Segment& segment) {
  const auto transaction = section.number("transaction_id");
  if (!transaction) return std::unexpected(transaction.error());
  const auto zero = section.number_or("zero_new_blocks", 0);
  if (!zero) return std::unexpected(zero.error());
  segment.kind = LvKind::kThinPool;
  segment.transaction_id = *transaction;
  segment.has_messages = std::ranges::any_of(
      section.sections(), [](const auto& child) { return child.first.starts_with("message"); });
  segment.zeroes_blocks = *zero != 0;
  return read_parts(section, "pool", LvMark::kThinPoolData, LvMark::kThinPoolMetadata, segment);
}

Status read_thin(const ConfigSection& section, PvTable& /*pvs*/, Segment& segment) {
  auto pool = section.text("thin_pool");
  if (!pool) return std::unexpected(pool.error());
  auto origin = section.text_or_empty("origin");
  if (!origin) return std::unexpected(origin.error());
  auto external = section.text_or_empty("external_origin");
  if (!external) return std::unexpected(external.error());
  auto merged_into = section.text_or_empty("merge");
  if (!merged_into) return std::unexpected(merged_into.error());
  segment.kind = LvKind::kThin;
  segment.pool = *std::move(pool);
  if (!external->empty())
    segment.references.push_back({.name = *external, .makes = LvMark::kExternalOrigin});
  segment.references.push_back({.name = segment.pool, .makes = std::nullopt});
  // A thin volume does not need its origin.
  if (!origin->empty())
    segment.references.push_back({.name = *origin, .makes = std::nullopt, .needed = false});
  if (!merged_into->empty()) {
    segment.marks.add(LvMark::kMergingSnapshot);
    segment.references.push_back(
        {.name = *std::move(merged_into), .makes = LvMark::kMergingOrigin, .needed = false});
  }
  segment.origin = origin->empty() ? *std::move(external) : *std::move(origin);
  return {};
}

Status read_cache_pool(const ConfigSection& section, PvTable& /*pvs*/, Segment& segment) {
  segment.kind = LvKind::kCachePool;
  return read_parts(section, "data", LvMark::kCachePoolData, LvMark::kCachePoolMetadata, segment);
}

Status read_cache(const ConfigSection& section, PvTable& /*pvs*/, Segment& segment) {
  auto pool = section.text("cache_pool");
  if (!pool) return std::unexpected(pool.error());
  auto origin = section.text("origin");
  if (!origin) return std::unexpected(origin.error());
  segment.kind = LvKind::kCache;
  segment.pool = *std::move(pool);
  segment.origin = *std::move(origin);
  // Only a cache volume has data and metadata in the same volume.
  const bool on_volume = section.has("metadata_start");
  segment.references.push_back(
      {.name = segment.pool, .makes = on_volume ? LvMark::kCacheVolume : LvMark::kUsedCachePool});
  segment.references.push_back({.name = segment.origin, .makes = LvMark::kCacheOrigin});
  return {};
}

Status read_writecache(const ConfigSection& section, PvTable& /*pvs*/, Segment& segment) {
  auto fast = section.text("writecache");
  if (!fast) return std::unexpected(fast.error());
  auto origin = section.text("origin");
  if (!origin) return std::unexpected(origin.error());
  segment.kind = LvKind::kWritecache;
  segment.origin = *std::move(origin);
  segment.references.push_back({.name = *std::move(fast), .makes = LvMark::kCacheVolume});
  segment.references.push_back({.name = segment.origin, .makes = LvMark::kWritecacheOrigin});
  return {};
}

Status read_snapshot(const ConfigSection& section, PvTable& /*pvs*/, Segment& segment) {
  segment.merging = section.has("merging_store");
  auto cow = section.text(segment.merging ? "merging_store" : "cow_store");
  if (!cow) return std::unexpected(cow.error());
  auto origin = section.text("origin");
  if (!origin) return std::unexpected(origin.error());
  segment.kind = LvKind::kSnapshotPair;
  segment.cow = *std::move(cow);
  segment.origin = *std::move(origin);
  return {};
}

}  // namespace lvmd::metadata
