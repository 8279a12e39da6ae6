#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "lvmd/ipc/convert.hpp"

namespace lvmd::ipc {
namespace {

// The values of an enum of the model and of its counterpart.
template <typename Ours, typename Theirs, std::size_t kCount>
using EnumTable = std::array<std::pair<Ours, Theirs>, kCount>;

constexpr EnumTable<model::LvRole, internal::LvRole, 5> kRoles{{
    {model::LvRole::kPlain, internal::LV_ROLE_PLAIN},
    {model::LvRole::kThinPool, internal::LV_ROLE_THIN_POOL},
    {model::LvRole::kThin, internal::LV_ROLE_THIN},
    {model::LvRole::kCowSnapshot, internal::LV_ROLE_COW_SNAPSHOT},
    {model::LvRole::kInternal, internal::LV_ROLE_INTERNAL},
}};

// Without kTransactionMismatch, which the kernel does not report.
constexpr EnumTable<model::PoolHealth, internal::PoolHealth, 6> kHealths{{
    {model::PoolHealth::kOk, internal::POOL_HEALTH_OK},
    {model::PoolHealth::kOutOfDataSpace, internal::POOL_HEALTH_OUT_OF_DATA_SPACE},
    {model::PoolHealth::kReadOnly, internal::POOL_HEALTH_READ_ONLY},
    {model::PoolHealth::kNeedsCheck, internal::POOL_HEALTH_NEEDS_CHECK},
    {model::PoolHealth::kFailed, internal::POOL_HEALTH_FAILED},
    {model::PoolHealth::kError, internal::POOL_HEALTH_ERROR},
}};

constexpr EnumTable<model::Redundancy, internal::Redundancy, 3> kRedundancies{{
    {model::Redundancy::kInSync, internal::REDUNDANCY_IN_SYNC},
    {model::Redundancy::kOutOfSync, internal::REDUNDANCY_OUT_OF_SYNC},
    {model::Redundancy::kDegraded, internal::REDUNDANCY_DEGRADED},
}};

// 0, the unspecified value of each enum, if the table has no such value.
template <typename Ours, typename Theirs, std::size_t kCount>
Theirs theirs_of(const EnumTable<Ours, Theirs, kCount>& table, std::optional<Ours> value) {
  for (const auto& [ours, theirs] : table)
    if (ours == value) return theirs;
  return Theirs{};
}

template <typename Ours, typename Theirs, std::size_t kCount>
std::optional<Ours> ours_of(const EnumTable<Ours, Theirs, kCount>& table, Theirs value) {
  for (const auto& [ours, theirs] : table)
    if (theirs == value) return ours;
  return std::nullopt;
}

internal::MetadataCopies copies_to_proto(const model::MetadataCopies& from) {
  internal::MetadataCopies to;
  to.set_longest_text_bytes(from.longest_text.value);
  to.set_free_bytes(from.free.value);
  if (from.damaged)
    to.mutable_damaged()->mutable_copies()->Assign(from.damaged->begin(), from.damaged->end());
  return to;
}

model::MetadataCopies copies_from_proto(const internal::MetadataCopies& from) {
  model::MetadataCopies to{.longest_text = {from.longest_text_bytes()},
                           .free = {from.free_bytes()}};
  if (from.has_damaged())
    to.damaged.emplace(from.damaged().copies().begin(), from.damaged().copies().end());
  return to;
}

model::PhysicalVolume pv_from_proto(const internal::PhysicalVolume& from) {
  model::PhysicalVolume to{.id = from.id(),
                           .device = from.device(),
                           .size = {from.size_extents()},
                           .free = {from.free_extents()},
                           .allocatable = from.allocatable(),
                           .missing = from.missing()};
  to.free_areas.reserve(static_cast<std::size_t>(from.free_areas_extents_size()));
  for (const std::uint64_t area : from.free_areas_extents()) to.free_areas.push_back({area});
  return to;
}

}  // namespace

internal::LogicalVolume to_proto(const model::LogicalVolume& lv) {
  internal::LogicalVolume to;
  to.set_name(lv.name);
  to.set_id(lv.id);
  to.set_role(theirs_of(kRoles, std::optional{lv.role}));
  to.set_segment_type(lv.segment_type);
  to.set_stripes(lv.stripes);
  to.set_size_bytes(lv.size.value);
  to.mutable_tags()->Assign(lv.tags.begin(), lv.tags.end());
  to.set_pool(lv.pool);
  to.set_origin(lv.origin);
  to.set_writable(lv.writable);
  to.set_path(lv.path);
  to.set_attr(lv.attr);
  if (lv.device) {
    internal::DeviceState& device = *to.mutable_device();
    device.set_major(lv.device->major);
    device.set_minor(lv.device->minor);
    device.set_open_count(lv.device->open_count);
    device.set_suspended(lv.device->suspended);
    device.set_read_only(lv.device->read_only);
    device.set_live_table(lv.device->live_table);
    device.set_inactive_table(lv.device->inactive_table);
  }
  if (lv.usage) {
    to.mutable_usage()->set_data_percent(lv.usage->data_percent);
    to.mutable_usage()->set_metadata_percent(lv.usage->metadata_percent);
  }
  if (lv.pool_condition) {
    internal::PoolCondition& condition = *to.mutable_pool_condition();
    condition.set_kernel(theirs_of(kHealths, std::optional{lv.pool_condition->kernel}));
    condition.set_kernel_transaction(lv.pool_condition->kernel_transaction);
    condition.set_metadata_transaction(lv.pool_condition->metadata_transaction);
  }
  to.set_redundancy(theirs_of(kRedundancies, lv.redundancy));
  to.set_partial(lv.partial);
  return to;
}

Result<model::LogicalVolume> from_proto(const internal::LogicalVolume& from) {
  if (from.name().empty()) return fail(Code::kInvalidArgument, "a volume without a name");
  const auto role = ours_of(kRoles, from.role());
  if (!role)
    return fail(Code::kInvalidArgument, "volume {}: unknown role {}", from.name(),
                static_cast<int>(from.role()));
  model::LogicalVolume to{
      .name = from.name(),
      .id = from.id(),
      .role = *role,
      .segment_type = from.segment_type(),
      .stripes = from.stripes(),
      .size = {from.size_bytes()},
      .tags = {from.tags().begin(), from.tags().end()},
      .pool = from.pool(),
      .origin = from.origin(),
      .writable = from.writable(),
      .path = from.path(),
      .attr = from.attr(),
      .redundancy = ours_of(kRedundancies, from.redundancy()),
      .partial = from.partial(),
  };
  if (from.has_device()) {
    const internal::DeviceState& device = from.device();
    to.device = model::DeviceState{.major = device.major(),
                                   .minor = device.minor(),
                                   .open_count = device.open_count(),
                                   .suspended = device.suspended(),
                                   .read_only = device.read_only(),
                                   .live_table = device.live_table(),
                                   .inactive_table = device.inactive_table()};
  }
  if (from.has_usage())
    to.usage = model::PoolUsage{.data_percent = from.usage().data_percent(),
                                .metadata_percent = from.usage().metadata_percent()};
  if (from.has_pool_condition()) {
    const internal::PoolCondition& condition = from.pool_condition();
    const auto kernel = ours_of(kHealths, condition.kernel());
    if (!kernel)
      return fail(Code::kInvalidArgument, "volume {}: unknown pool health {}", from.name(),
                  static_cast<int>(condition.kernel()));
    to.pool_condition =
        model::PoolCondition{.kernel = *kernel,
                             .kernel_transaction = condition.kernel_transaction(),
                             .metadata_transaction = condition.metadata_transaction()};
  }
  return to;
}

internal::VolumeGroup to_proto_without_volumes(const model::VolumeGroup& group) {
  internal::VolumeGroup to;
  to.set_id(group.id);
  to.set_name(group.name);
  to.set_seqno(group.seqno);
  to.set_extent_size_bytes(group.extent_size.value);
  to.set_from_report(group.source == model::StateSource::kReport);
  *to.mutable_copies() = copies_to_proto(group.copies);
  if (group.unmonitored_pools)
    to.mutable_unmonitored_pools()->mutable_names()->Assign(group.unmonitored_pools->begin(),
                                                            group.unmonitored_pools->end());
  for (const model::PhysicalVolume& from : group.physical_volumes) {
    internal::PhysicalVolume& pv = *to.add_physical_volumes();
    pv.set_id(from.id);
    pv.set_device(from.device);
    pv.set_size_extents(from.size.value);
    pv.set_free_extents(from.free.value);
    for (const model::Extents area : from.free_areas) pv.add_free_areas_extents(area.value);
    pv.set_allocatable(from.allocatable);
    pv.set_missing(from.missing);
  }
  return to;
}

Result<model::VolumeGroup> from_proto(const internal::VolumeGroup& from) {
  if (from.name().empty() || from.extent_size_bytes() == 0)
    return fail(Code::kInvalidArgument, "a volume group without a name or an extent size");
  model::VolumeGroup to{
      .id = from.id(),
      .name = from.name(),
      .seqno = from.seqno(),
      .extent_size = {from.extent_size_bytes()},
      .source = from.from_report() ? model::StateSource::kReport : model::StateSource::kMetadata,
      .copies = copies_from_proto(from.copies()),
  };
  if (from.has_unmonitored_pools())
    to.unmonitored_pools.emplace(from.unmonitored_pools().names().begin(),
                                 from.unmonitored_pools().names().end());
  to.physical_volumes.reserve(static_cast<std::size_t>(from.physical_volumes_size()));
  for (const internal::PhysicalVolume& pv : from.physical_volumes())
    to.physical_volumes.push_back(pv_from_proto(pv));
  to.logical_volumes.reserve(static_cast<std::size_t>(from.logical_volumes_size()));
  for (const internal::LogicalVolume& lv : from.logical_volumes()) {
    auto converted = from_proto(lv);
    if (!converted) return std::unexpected(converted.error());
    // find() requires the order.
    if (!to.logical_volumes.empty() && !(to.logical_volumes.back().name < converted->name))
      return fail(Code::kInvalidArgument, "the volumes of {} are not sorted at {}", to.name,
                  converted->name);
    to.logical_volumes.push_back(std::move(*converted));
  }
  return to;
}

internal::VgState to_proto(const model::VgState& state) {
  internal::VgState to;
  to.set_name(state.name);
  to.set_observed_at(state.observed_at.nanoseconds);
  if (!state.group) {
    *to.mutable_unavailable() = to_proto(state.group.error());
    return to;
  }
  internal::VolumeGroup& group = *to.mutable_volume_group();
  group = to_proto_without_volumes(*state.group);
  for (const model::LogicalVolume& lv : state.group->logical_volumes)
    *group.add_logical_volumes() = to_proto(lv);
  return to;
}

Result<model::VgState> from_proto(const internal::VgState& from) {
  if (from.name().empty()) return fail(Code::kInvalidArgument, "a state without a name");
  model::VgState to{
      .name = from.name(), .observed_at = {from.observed_at()}, .group = std::unexpected(Error{})};
  switch (from.group_case()) {
    case internal::VgState::kVolumeGroup: {
      auto group = from_proto(from.volume_group());
      if (!group) return std::unexpected(group.error());
      if (group->name != from.name())
        return fail(Code::kInvalidArgument, "the state of {} contains group {}", from.name(),
                    group->name);
      to.group = std::move(*group);
      return to;
    }
    case internal::VgState::kUnavailable:
      to.group = std::unexpected(from_proto(from.unavailable()));
      return to;
    case internal::VgState::kChange:
      return fail(Code::kInvalidArgument, "the state of {} is a change of an unknown one",
                  from.name());
    case internal::VgState::GROUP_NOT_SET:
      break;
  }
  return fail(Code::kInvalidArgument, "the state of {} is empty", from.name());
}

}  // namespace lvmd::ipc
