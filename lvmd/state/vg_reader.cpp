#include "lvmd/state/vg_reader.hpp"

#include <fmt/format.h>

#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/metadata/active_volumes.hpp"
#include "lvmd/metadata/assemble.hpp"
#include "lvmd/metadata/report_reader.hpp"
#include "lvmd/metadata/run_report.hpp"

namespace lvmd::state {

VgReader::VgReader(std::string volume_group, std::string lvm_path)
    : volume_group_(std::move(volume_group)),
      lvm_path_(std::move(lvm_path)),
      metadata_(volume_group_) {}

model::VgState VgReader::read(const model::VgAccess& access) {
  const MonotonicTime observed_at = monotonic_now();
  return {.name = volume_group_, .observed_at = observed_at, .group = read_group(access)};
}

Result<model::VolumeGroup> VgReader::read_group(const model::VgAccess& access) {
  devices_incomplete_ = false;
  report_failed_ = false;
  const auto metadata = metadata_.read(access.devices, access.system_id);
  if (!metadata) {
    if (metadata.error().code == Code::kUnimplemented) return read_report(metadata.error());
    return std::unexpected(metadata.error());
  }
  devices_incomplete_ = !(*metadata)->unknown_physical_volumes.empty();
  const auto vg_devices = device_mapper_.devices(volume_group_, (*metadata)->id,
                                                 metadata::volumes_with_status(**metadata));
  if (!vg_devices) return std::unexpected(vg_devices.error());
  return metadata::assemble(**metadata, *vg_devices);
}

Result<model::VolumeGroup> VgReader::read_report(const Error& why) {
  if (!std::exchange(report_logged_, true))
    log::notice(fmt::format("volume group {} is read from LVM's report, which is slower: {}",
                            volume_group_, why.message),
                {{log::kVg, volume_group_}, {"LVMD_FALLBACK", "report"}});
  const auto report = metadata::run_report(lvm_path_, volume_group_, kReportLimit);
  if (!report) {
    report_failed_ = true;
    Error unread = report.error();
    unread.code = Code::kUnavailable;
    return std::unexpected(std::move(unread));
  }
  return metadata::parse_report(*report, volume_group_);
}

}  // namespace lvmd::state
