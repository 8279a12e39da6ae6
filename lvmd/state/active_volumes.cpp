#include "lvmd/state/active_volumes.hpp"

#include <algorithm>
#include <variant>

#include "lvmd/model/redundancy.hpp"

namespace lvmd::state {
namespace {

template <typename Value>
const Value* lookup(const std::map<std::string, Value, std::less<>>& map, const std::string& id) {
  const auto found = map.find(id);
  return found != map.end() ? &found->second : nullptr;
}

char pool_health(const model::ThinPoolState& pool) {
  if (pool.failed) return 'F';
  if (pool.out_of_data_space) return 'D';
  return pool.read_only ? 'M' : '-';
}

char cache_health(const model::CacheStatus& cache) {
  if (cache.failed) return 'F';
  return cache.read_only ? 'M' : '-';
}

}  // namespace

std::set<std::string, std::less<>> volumes_with_status(const metadata::VolumeGroupMetadata& group) {
  std::set<std::string, std::less<>> ids;
  for (const metadata::LvMetadata& lv : group.logical_volumes) {
    const bool by_kind =
        lv.kind == metadata::LvKind::kRaid || lv.kind == metadata::LvKind::kMirror ||
        lv.kind == metadata::LvKind::kCache || lv.kind == metadata::LvKind::kWritecache;
    if (by_kind || lv.is(metadata::LvMark::kCowStore) || lv.is(metadata::LvMark::kMergingOrigin))
      ids.insert(lv.id);
  }
  return ids;
}

// A volume under a cache has only its layer "-real".
const model::VolumeDevice* ActiveVolumes::own_device(const metadata::LvMetadata& lv) const {
  const bool under_cache = lv.is(metadata::LvMark::kCacheOrigin) ||
                           lv.is(metadata::LvMark::kWritecacheOrigin) ||
                           lv.is(metadata::LvMark::kPendingDelete);
  return lookup(under_cache ? devices_.real : devices_.volumes, lv.id);
}

// The status of the volume's target. If the volume has snapshots, its target is in the layer
// "-real".
template <typename Status>
const Status* ActiveVolumes::status(const metadata::LvMetadata& lv) const {
  const bool layered =
      lv.is(metadata::LvMark::kSnapshotOrigin) || lv.is(metadata::LvMark::kExternalOrigin);
  const model::VolumeDevice* device = layered ? lookup(devices_.real, lv.id) : nullptr;
  if (device == nullptr) device = own_device(lv);
  return device != nullptr ? std::get_if<Status>(&device->target) : nullptr;
}

// The status of a running merge, from the origin's own device; null if there is none.
const model::CowSnapshotStatus* ActiveVolumes::merge_into(
    const metadata::LvMetadata* origin) const {
  if (origin == nullptr || !origin->is(metadata::LvMark::kMergingOrigin)) return nullptr;
  const model::VolumeDevice* const device = own_device(*origin);
  const auto* const status =
      device != nullptr ? std::get_if<model::CowSnapshotStatus>(&device->target) : nullptr;
  return status != nullptr && status->is_merge ? status : nullptr;
}

const model::CowSnapshotStatus* ActiveVolumes::snapshot_status(
    const metadata::LvMetadata& lv) const {
  if (lv.is(metadata::LvMark::kSnapshotOrigin)) return merge_into(&lv);
  if (!lv.is(metadata::LvMark::kCowStore)) return nullptr;
  if (lv.is(metadata::LvMark::kMergingSnapshot))
    if (const auto* const merge = merge_into(group_.find(lv.origin))) return merge;
  const model::VolumeDevice* const device = own_device(lv);
  return device != nullptr ? std::get_if<model::CowSnapshotStatus>(&device->target) : nullptr;
}

std::optional<model::DeviceState> ActiveVolumes::device(const metadata::LvMetadata& lv) const {
  const model::VolumeDevice* own = own_device(lv);
  // A snapshot that is being merged has no device of its own: its data is in the origin's device.
  if (lv.is(metadata::LvMark::kCowStore) && lv.is(metadata::LvMark::kMergingSnapshot)) {
    const metadata::LvMetadata* const origin = group_.find(lv.origin);
    if (merge_into(origin) != nullptr) own = own_device(*origin);
  }
  // The device of a thin pool is its layer "-tpool". A used pool has an own device above the layer.
  // Without the own device it counts as inactive, even if its thin volumes keep the layer active. A
  // pool that needs a check is an exception, so that the condition is visible.
  if (const model::ThinPoolState* const pool = thin_pool_state(lv);
      pool != nullptr && lv.kind == metadata::LvKind::kThinPool)
    return own != nullptr || !lv.used_pool || pool->needs_check ? std::optional{pool->device}
                                                                : std::nullopt;
  return own != nullptr ? std::optional{own->state} : std::nullopt;
}

const metadata::LvMetadata* ActiveVolumes::thin_pool(const metadata::LvMetadata& lv) const {
  if (lv.kind == metadata::LvKind::kThinPool) return &lv;
  return lv.kind == metadata::LvKind::kThin ? group_.find(lv.pool) : nullptr;
}

const model::ThinPoolState* ActiveVolumes::thin_pool_state(const metadata::LvMetadata& lv) const {
  const metadata::LvMetadata* const pool = thin_pool(lv);
  return pool != nullptr ? lookup(devices_.thin_pools, pool->id) : nullptr;
}

LvCondition ActiveVolumes::condition(const metadata::LvMetadata& lv) const {
  LvCondition condition;
  if (const auto* const snapshot = snapshot_status(lv)) {
    if (snapshot->invalid)
      condition.snapshot = LvCondition::Snapshot::kInvalid;
    else if (snapshot->merge_failed)
      condition.snapshot = LvCondition::Snapshot::kMergeFailed;
  }
  if (lv.kind == metadata::LvKind::kThinPool) {
    const model::ThinPoolState* const pool = thin_pool_state(lv);
    condition.needs_check = pool != nullptr && pool->needs_check;
  } else if (lv.kind == metadata::LvKind::kCache) {
    const auto* const cache = status<model::CacheStatus>(lv);
    condition.needs_check = cache != nullptr && cache->needs_check;
  }
  condition.in_sync = in_sync(lv);
  condition.health = health(lv);
  return condition;
}

std::optional<model::Redundancy> ActiveVolumes::redundancy(const metadata::LvMetadata& lv) const {
  if (lv.is(metadata::LvMark::kPvmove)) return std::nullopt;
  if (const auto* const raid = status<model::RaidStatus>(lv)) return model::redundancy_of(*raid);
  if (const auto* const mirror = status<model::MirrorStatus>(lv))
    return model::redundancy_of(*mirror);
  return std::nullopt;
}

bool ActiveVolumes::in_sync(const metadata::LvMetadata& lv) const {
  if (lv.is(metadata::LvMark::kMirrorImage)) {
    const metadata::LvMetadata* const mirror = group_.find(lv.part_of);
    // A mirror with one image is always in sync.
    if (mirror == nullptr || mirror->stripes == 1) return mirror != nullptr;
    const auto* const mirrored = status<model::MirrorStatus>(*mirror);
    return mirrored != nullptr && mirrored->regions_in_sync >= mirrored->regions;
  }
  return lv.is(metadata::LvMark::kRaidImage) && own_device(lv) != nullptr && leg_health(lv) == 'A';
}

char ActiveVolumes::health(const metadata::LvMetadata& lv) const {
  if (lv.kind == metadata::LvKind::kRaid) return raid_health(lv);
  if (lv.is(metadata::LvMark::kRaidImage) || lv.is(metadata::LvMark::kRaidMetadata))
    return raid_part_health(lv);
  if (lv.kind == metadata::LvKind::kThinPool) {
    const model::ThinPoolState* const pool = thin_pool_state(lv);
    return pool != nullptr ? pool_health(*pool) : '-';
  }
  if (lv.kind == metadata::LvKind::kThin) {
    // Exactly the thin volumes of a failed pool are failed.
    const model::ThinPoolState* const pool = thin_pool_state(lv);
    return own_device(lv) != nullptr && pool != nullptr && pool->failed ? 'F' : '-';
  }
  // A cache pool has no device: its state is that of the cached volume.
  const metadata::LvMetadata* const cached =
      lv.is(metadata::LvMark::kUsedCachePool) ? group_.find(lv.part_of) : &lv;
  if (const auto* const cache = cached != nullptr ? status<model::CacheStatus>(*cached) : nullptr)
    return cache_health(*cache);
  const auto* const writecache = status<model::WritecacheStatus>(lv);
  return writecache != nullptr && writecache->failed ? 'E' : '-';
}

char ActiveVolumes::raid_health(const metadata::LvMetadata& lv) const {
  if (own_device(lv) != nullptr) {
    const auto* const raid = status<model::RaidStatus>(lv);
    if (raid == nullptr || raid->health.contains('D')) return 'r';
    if (raid->mismatches != 0) return 'm';
    if (raid->action == "reshape") return 's';
  }
  // As in LVM, without the first image.
  const bool leaves_rest =
      std::any_of(std::next(lv.images.begin()), lv.images.end(), [this](const std::string& name) {
        const metadata::LvMetadata* const image = group_.find(name);
        return image != nullptr && image->is(metadata::LvMark::kRemoveAfterReshape);
      });
  return leaves_rest ? 'R' : '-';
}

char ActiveVolumes::raid_part_health(const metadata::LvMetadata& lv) const {
  if (own_device(lv) != nullptr && leg_health(lv).value_or('D') == 'D') return 'r';
  if (lv.is(metadata::LvMark::kWritemostly)) return 'w';
  return lv.is(metadata::LvMark::kRemoveAfterReshape) ? 'R' : '-';
}

std::optional<char> ActiveVolumes::leg_health(const metadata::LvMetadata& lv) const {
  const metadata::LvMetadata* const raid = group_.find(lv.part_of);
  if (raid == nullptr || own_device(*raid) == nullptr) return std::nullopt;
  const auto* const status_of_raid = status<model::RaidStatus>(*raid);
  if (status_of_raid == nullptr) return std::nullopt;
  const auto& legs = lv.is(metadata::LvMark::kRaidMetadata) ? raid->raid_metadata : raid->images;
  const auto leg = static_cast<std::size_t>(std::ranges::find(legs, lv.name) - legs.begin());
  if (leg >= status_of_raid->health.size()) return std::nullopt;
  return status_of_raid->health[leg];
}

}  // namespace lvmd::state
