#include "lvmd/state/assemble.hpp"

#include <fmt/format.h>

#include <string>

#include "lvmd/model/pool_health.hpp"
#include "lvmd/state/active_volumes.hpp"
#include "lvmd/state/lv_attr.hpp"

namespace lvmd::state {
namespace {

model::LvRole role_of(const metadata::LvMetadata& lv) {
  // A cache pool is internal even if it is not attached to a volume.
  if (!lv.visible || lv.kind == metadata::LvKind::kCachePool) return model::LvRole::kInternal;
  if (lv.kind == metadata::LvKind::kThinPool) return model::LvRole::kThinPool;
  if (lv.kind == metadata::LvKind::kThin) return model::LvRole::kThin;
  return lv.is(metadata::LvMark::kCowStore) ? model::LvRole::kCowSnapshot : model::LvRole::kPlain;
}

// The origin as in lvs: empty for a cache that LVM is detaching.
std::string origin_of(const metadata::LvMetadata& lv) {
  return lv.is(metadata::LvMark::kPendingDelete) ? std::string{} : lv.origin;
}

model::PoolCondition pool_condition(const metadata::LvMetadata& lv,
                                    const model::ThinPoolState& state) {
  // LVM commits its transaction id before it sends the change to the kernel.
  const bool is_pending = lv.has_messages && state.transaction_id + 1 == lv.transaction_id;
  return {.kernel = model::kernel_health(state),
          .kernel_transaction = state.transaction_id,
          .metadata_transaction = is_pending ? state.transaction_id : lv.transaction_id};
}

model::LogicalVolume volume(const metadata::LvMetadata& lv,
                            const metadata::VolumeGroupMetadata& group,
                            const ActiveVolumes& active) {
  const model::LvRole role = role_of(lv);
  const metadata::LvMetadata* const pool = active.thin_pool(lv);
  const model::ThinPoolState* const pool_state = active.thin_pool_state(lv);
  const auto device = active.device(lv);
  const bool shows_usage = lv.kind == metadata::LvKind::kThinPool && pool_state != nullptr;
  const model::Extents size = role == model::LvRole::kCowSnapshot ? lv.origin_size : lv.size;
  return {
      .name = lv.name,
      .id = lv.id,
      .role = role,
      .segment_type = lv.segment_type,
      .stripes = lv.stripes,
      .size = to_bytes(size, group.extent_size),
      .tags = lv.tags,
      .pool = lv.kind == metadata::LvKind::kThin ? lv.pool : std::string{},
      .origin = origin_of(lv),
      .part_of = lv.part_of,
      .writable = lv.writable,
      .path = fmt::format("/dev/{}/{}", group.name, lv.name),
      .attr = lv_attr(lv, device, active.condition(lv), pool != nullptr && pool->zeroes_blocks),
      .device = device,
      .usage = shows_usage ? pool_state->usage : std::nullopt,
      .pool_condition = shows_usage ? std::optional{pool_condition(lv, *pool_state)} : std::nullopt,
      .redundancy = active.redundancy(lv),
      .partial = lv.partial};
}

}  // namespace

model::VolumeGroup assemble(const metadata::VolumeGroupMetadata& metadata,
                            const model::VgDevices& devices) {
  const ActiveVolumes active{metadata, devices};
  model::VolumeGroup group{.id = metadata.id,
                           .name = metadata.name,
                           .seqno = metadata.seqno,
                           .extent_size = metadata.extent_size,
                           .physical_volumes = metadata.physical_volumes,
                           .source = model::StateSource::kMetadata};
  group.logical_volumes.reserve(metadata.logical_volumes.size());
  for (const metadata::LvMetadata& lv : metadata.logical_volumes)
    group.logical_volumes.push_back(volume(lv, metadata, active));
  return group;
}

}  // namespace lvmd::state
