#include "lvmd/state/vg_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/model/pool_health.hpp"
#include "lvmd/report/report_reader.hpp"
#include "lvmd/state/active_volumes.hpp"
#include "lvmd/state/assemble.hpp"

namespace lvmd::state {
namespace {

// LVM makes only a few consecutive commits.
constexpr int kMostAttempts = 3;

bool has_transaction_mismatch(const model::VolumeGroup& group) {
  return std::ranges::any_of(group.logical_volumes, [](const model::LogicalVolume& lv) {
    return lv.pool_condition &&
           lv.pool_condition->health() == model::PoolHealth::kTransactionMismatch;
  });
}

bool has_copies(const model::LogicalVolume& lv) {
  return lv.segment_type.starts_with("raid") || lv.segment_type == "mirror";
}

}  // namespace

VgReader::VgReader(std::string volume_group, std::string lvm_path, metadata::Copies copies)
    : volume_group_(std::move(volume_group)),
      lvm_path_(std::move(lvm_path)),
      metadata_(volume_group_, copies) {}

model::VgState VgReader::read(const model::VgAccess& access,
                              const std::function<void()>& before_report) {
  const MonotonicTime observed_at = monotonic_now();
  model::VgState state{.name = volume_group_,
                       .observed_at = observed_at,
                       .group = read_group(access, before_report)};
  if (state.group) state.group->copies = metadata_.copies();
  return state;
}

void VgReader::look_for_new_name(const model::VgAccess& before, Error& error) {
  static_cast<void>(read(before));
  if (const std::string& other = metadata_.other_group(); !other.empty())
    error.message += fmt::format(
        ". Its devices now have the volume group {0}: to undo a renaming, run `vgrename {0} {1}`",
        other, volume_group_);
}

Result<model::VolumeGroup> VgReader::read_group(const model::VgAccess& access,
                                                const std::function<void()>& before_report) {
  devices_incomplete_ = false;
  report_failed_ = false;
  const auto metadata = metadata_.read(access.devices, access.system_id);
  if (!metadata) {
    if (metadata.error().code != Code::kUnimplemented) return std::unexpected(metadata.error());
    if (before_report) before_report();
    return read_report(metadata.error());
  }
  devices_incomplete_ = !(*metadata)->unknown_physical_volumes.empty();
  return read_natively(access, *metadata);
}

Result<model::VolumeGroup> VgReader::read_natively(const model::VgAccess& access,
                                                   metadata::MetadataPtr metadata) {
  for (int attempt = 0;; ++attempt) {
    const auto vg_devices =
        device_mapper_.devices(volume_group_, metadata->id, state::volumes_with_status(*metadata));
    if (!vg_devices) return std::unexpected(vg_devices.error());
    auto group = state::assemble(*metadata, *vg_devices);
    if (attempt == kMostAttempts || !has_transaction_mismatch(group)) return group;
    // LVM may have committed between the two readings.
    const auto again = metadata_.read(access.devices, access.system_id);
    if (!again) return std::unexpected(again.error());
    if (**again == *metadata) return group;
    metadata = *again;
  }
}

Result<model::VolumeGroup> VgReader::read_report(const Error& why) {
  if (!std::exchange(report_logged_, true))
    log::notice(fmt::format("reading volume group {} from LVM's report, which is slower: {}",
                            volume_group_, why.message),
                {{log::kVg, volume_group_}, {"LVMD_FALLBACK", "report"}});
  const auto report = report::run_report(lvm_path_, volume_group_, kReportLimit);
  if (!report) {
    report_failed_ = true;
    Error unread = report.error();
    unread.code = Code::kUnavailable;
    return std::unexpected(std::move(unread));
  }
  auto group = report::parse_report(*report, volume_group_);
  if (!group) return group;
  if (auto added = add_kernel_state(*group); !added) return std::unexpected(added.error());
  return group;
}

Status VgReader::add_kernel_state(model::VolumeGroup& group) {
  for (model::LogicalVolume& lv : group.logical_volumes) {
    if (lv.role == model::LvRole::kThinPool) {
      const auto pool = device_mapper_.thin_pool(group.id, lv.id);
      if (!pool) return std::unexpected(pool.error());
      if (!*pool) continue;
      if (!lv.usage) lv.usage = (*pool)->usage;
      // The report does not show whether LVM still has to send a change to the kernel.
      lv.pool_condition = model::PoolCondition{.kernel = model::kernel_health(**pool),
                                               .kernel_transaction = (*pool)->transaction_id,
                                               .metadata_transaction = (*pool)->transaction_id};
    } else if (lv.device && has_copies(lv)) {
      const auto redundancy = device_mapper_.redundancy(group.id, lv.id);
      if (!redundancy) return std::unexpected(redundancy.error());
      lv.redundancy = *redundancy;
    }
  }
  return {};
}

}  // namespace lvmd::state
