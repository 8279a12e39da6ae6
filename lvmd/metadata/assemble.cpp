#include "lvmd/metadata/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "lvmd/metadata/lv_attr.hpp"

namespace lvmd::metadata {
namespace {

model::LvRole role_of(const LvMetadata& lv) {
  if (!lv.visible) return model::LvRole::kInternal;
  switch (lv.kind) {
    case LvKind::kThinPool:
      return model::LvRole::kThinPool;
    case LvKind::kThin:
      return model::LvRole::kThin;
    case LvKind::kPlain:
    case LvKind::kPoolData:
    case LvKind::kPoolMetadata:
      break;
  }
  return model::LvRole::kPlain;
}

template <typename Value>
std::optional<Value> lookup(const std::map<std::string, Value, std::less<>>& map,
                            const std::string& id) {
  const auto found = map.find(id);
  return found != map.end() ? std::optional{found->second} : std::nullopt;
}

class Assembler {
 public:
  Assembler(const VolumeGroupMetadata& metadata, const model::VgDevices& devices)
      : metadata_(metadata), devices_(devices) {}

  [[nodiscard]] model::LogicalVolume volume(const LvMetadata& lv) const {
    const LvMetadata* const pool = lv.kind == LvKind::kThin       ? find(lv.pool)
                                   : lv.kind == LvKind::kThinPool ? &lv
                                                                  : nullptr;
    const auto pool_state = pool != nullptr ? lookup(devices_.thin_pools, pool->id) : std::nullopt;
    const auto device = device_of(lv, pool_state);
    const LvFacts facts{.kind = lv.kind,
                        .allocation = lv.allocation,
                        .readable = lv.readable,
                        .writable = lv.writable,
                        .fixed_minor = lv.fixed_minor,
                        .activation_skip = lv.activation_skip,
                        .zeroes_blocks = pool != nullptr && pool->zeroes_blocks,
                        .partial = is_partial(lv),
                        .device = device,
                        .pool = pool_state};
    return {.name = lv.name,
            .id = lv.id,
            .role = role_of(lv),
            .segment_type = lv.segment_type,
            .stripes = lv.stripes,
            .size = to_bytes(lv.size, metadata_.extent_size),
            .tags = lv.tags,
            .pool = lv.pool,
            .origin = lv.origin,
            .writable = lv.writable,
            .path = fmt::format("/dev/{}/{}", metadata_.name, lv.name),
            .attr = lv_attr(facts),
            .device = device,
            .usage = lv.kind == LvKind::kThinPool && pool_state ? pool_state->usage : std::nullopt};
  }

 private:
  [[nodiscard]] const LvMetadata* find(const std::string& name) const {
    const auto& lvs = metadata_.logical_volumes;
    const auto found = std::ranges::lower_bound(lvs, name, {}, &LvMetadata::name);
    return found != lvs.end() && found->name == name ? &*found : nullptr;
  }

  // The device of a thin pool is its "-tpool" layer. A pool that was used has a device of its own
  // on top, and counts as inactive without it, even while its thin volumes keep the layer alive;
  // not so when it needs a check, which must be seen.
  [[nodiscard]] std::optional<model::DeviceState> device_of(
      const LvMetadata& lv, const std::optional<model::ThinPoolState>& pool) const {
    auto own = lookup(devices_.volumes, lv.id);
    if (lv.kind != LvKind::kThinPool || !pool) return own;
    if (own || !lv.used_pool || pool->needs_check) return pool->device;
    return std::nullopt;
  }

  // Volumes are at most three deep (thin volume, pool, pool's parts): group_parser sees to that.
  [[nodiscard]] bool is_partial(const LvMetadata& lv) const {
    if (std::ranges::any_of(
            lv.on, [this](std::size_t pv) { return metadata_.physical_volumes[pv].missing; }))
      return true;
    const std::array parts{&lv.pool, &lv.pool_data, &lv.pool_metadata};
    return std::ranges::any_of(parts, [this](const std::string* name) {
      const LvMetadata* const part = name->empty() ? nullptr : find(*name);
      return part != nullptr && is_partial(*part);
    });
  }

  const VolumeGroupMetadata& metadata_;
  const model::VgDevices& devices_;
};

}  // namespace

model::VolumeGroup assemble(const VolumeGroupMetadata& metadata, const model::VgDevices& devices) {
  const Assembler assembler{metadata, devices};
  model::VolumeGroup group{.id = metadata.id,
                           .name = metadata.name,
                           .seqno = metadata.seqno,
                           .extent_size = metadata.extent_size,
                           .physical_volumes = metadata.physical_volumes,
                           .logical_volumes = {},
                           .source = model::StateSource::kMetadata};
  group.logical_volumes.reserve(metadata.logical_volumes.size());
  for (const LvMetadata& lv : metadata.logical_volumes)
    group.logical_volumes.push_back(assembler.volume(lv));
  return group;
}

}  // namespace lvmd::metadata
