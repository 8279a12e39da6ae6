#include "lvmd/state/vg_reader.hpp"

#include <fmt/format.h>

#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/metadata/assemble.hpp"
#include "lvmd/metadata/report_reader.hpp"
#include "lvmd/metadata/run_report.hpp"

namespace lvmd::state {

VgReader::VgReader(std::string volume_group, std::string lvm_path)
    : volume_group_(std::move(volume_group)),
      lvm_path_(std::move(lvm_path)),
      metadata_(volume_group_) {}

model::VgState VgReader::read(std::span<const std::string> devices) {
  const MonotonicTime observed_at = monotonic_now();
  return {.name = volume_group_, .observed_at = observed_at, .group = read_group(devices)};
}

Result<model::VolumeGroup> VgReader::read_group(std::span<const std::string> devices) {
  devices_incomplete_ = false;
  const auto metadata = metadata_.read(devices);
  if (!metadata) {
    if (metadata.error().code == Code::kUnimplemented) return read_report(metadata.error());
    return std::unexpected(metadata.error());
  }
  devices_incomplete_ = !(*metadata)->unknown_physical_volumes.empty();
  const auto vg_devices = device_mapper_.devices(volume_group_, (*metadata)->id);
  if (!vg_devices) return std::unexpected(vg_devices.error());
  return metadata::assemble(**metadata, *vg_devices);
}

Result<model::VolumeGroup> VgReader::read_report(const Error& why) {
  if (!std::exchange(report_logged_, true))
    log::notice(fmt::format("volume group {} is read from LVM's report, which is slower: {}",
                            volume_group_, why.message),
                {{log::kVg, volume_group_}, {"LVMD_FALLBACK", "report"}});
  const auto report = metadata::run_report(lvm_path_, volume_group_, kReportLimit);
  if (!report) return std::unexpected(report.error());
  return metadata::parse_report(*report, volume_group_);
}

}  // namespace lvmd::state
