// What device-mapper says of one volume group's active volumes.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "lvmd/model/logical_volume.hpp"

namespace lvmd::model {

// The device that holds an active thin pool (its "-tpool" layer).
struct ThinPoolState {
  DeviceState device;
  // Absent when the pool has failed: the kernel tells no numbers then.
  std::optional<PoolUsage> usage;
  bool failed = false;
  bool out_of_data_space = false;
  // Metadata can't be changed any more.
  bool read_only = false;
  bool needs_check = false;

  friend bool operator==(const ThinPoolState&, const ThinPoolState&) = default;
};

// By LV id (32 characters, no dashes). A volume without an entry is inactive.
struct VgDevices {
  // The volume's own device.
  std::map<std::string, DeviceState, std::less<>> volumes;
  std::map<std::string, ThinPoolState, std::less<>> thin_pools;

  friend bool operator==(const VgDevices&, const VgDevices&) = default;
};

}  // namespace lvmd::model
