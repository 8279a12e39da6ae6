// Labels and metadata area headers of a set of devices: the cheap part of reading a volume group,
// and the part that tells whether anything changed.
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
  // Absent when the header is damaged.
  std::optional<MdaHeader> header;
  // For people: what is wrong with it then.
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
  // Devices with a label, in the given order; a device given by two paths is there once.
  std::vector<ScannedDevice> devices;
  // For people: what is wrong with the others, and with damaged areas.
  std::vector<std::string> problems;

  [[nodiscard]] bool has_damage() const;

  friend bool operator==(const Scan&, const Scan&) = default;
};

// Never fails as a whole: a device that can't be read is one of the problems. Opens and closes each
// device once.
[[nodiscard]] Scan scan_devices(std::span<const std::string> paths);

}  // namespace lvmd::metadata
