// Reads labels and metadata area headers of devices. This is the cheap part of reading a volume
// group, and it shows whether the metadata has changed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lvmd/metadata/device_file.hpp"
#include "lvmd/metadata/disk_layout.hpp"

namespace lvmd::metadata {

struct ScannedArea {
  DiskRange range;
  // Absent if the header is damaged.
  std::optional<MdaHeader> header;
  // For people: the damage of the header.
  std::string damage{};

  friend bool operator==(const ScannedArea&, const ScannedArea&) = default;
};

struct ScannedDevice {
  std::string path;
  DeviceFile::Identity identity;
  std::string pv_id;
  std::vector<ScannedArea> areas;

  friend bool operator==(const ScannedDevice&, const ScannedDevice&) = default;
};

struct Scan {
  // The devices with a label, in the given order. A device with two paths appears once.
  std::vector<ScannedDevice> devices;
  // For people: the problems of the other devices, and the damaged areas.
  std::vector<std::string> problems;

  [[nodiscard]] bool has_damage() const;

  friend bool operator==(const Scan&, const Scan&) = default;
};

// Never fails: a device that cannot be read appears in `problems`. Opens and closes each device
// once.
[[nodiscard]] Scan scan_devices(std::span<const std::string> paths);

}  // namespace lvmd::metadata
