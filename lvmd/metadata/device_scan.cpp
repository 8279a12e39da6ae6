#include "lvmd/metadata/device_scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lvmd/metadata/metadata_area.hpp"

namespace lvmd::metadata {
namespace {

Result<ScannedDevice> scan_device(const DeviceFile& device, const std::string& path, Scan& scan) {
  auto label = read_label(device);
  if (!label) return std::unexpected(label.error());
  ScannedDevice result{
      .path = path, .identity = device.identity(), .pv_id = std::move(label->pv_id), .areas = {}};
  for (const DiskRange& range : label->metadata_areas) {
    const auto header = read_mda_header(device, range);
    ScannedArea area{.range = range, .header = std::nullopt};
    if (header) {
      area.header = *header;
    } else {
      area.damage = fmt::format("{}: {}", path, header.error().message);
      scan.problems.push_back(area.damage);
    }
    result.areas.push_back(std::move(area));
  }
  return result;
}

}  // namespace

bool Scan::has_damage() const {
  return std::ranges::any_of(devices, [](const ScannedDevice& device) {
    return std::ranges::any_of(device.areas, [](const ScannedArea& area) { return !area.header; });
  });
}

Scan scan_devices(std::span<const std::string> paths) {
  Scan scan;
  for (const std::string& path : paths) {
    const auto device = DeviceFile::open(path);
    if (!device) {
      scan.problems.push_back(device.error().message);
      continue;
    }
    if (std::ranges::find(scan.devices, device->identity(), &ScannedDevice::identity) !=
        scan.devices.end())
      continue;
    auto scanned = scan_device(*device, path, scan);
    if (scanned)
      scan.devices.push_back(*std::move(scanned));
    else
      scan.problems.push_back(fmt::format("{}: {}", path, scanned.error().message));
  }
  return scan;
}

}  // namespace lvmd::metadata
