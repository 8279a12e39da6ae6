// What device-mapper says of one volume group's active volumes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "lvmd/model/logical_volume.hpp"

namespace lvmd::model {

// The device that holds an active thin pool (its "-tpool" layer).
struct ThinPoolState {
  DeviceState device;
  // Absent when the pool has failed: the kernel tells no numbers then.
  std::optional<PoolUsage> usage;
  // Also when the kernel can't read the pool's metadata, which `error` tells apart.
  bool failed = false;
  bool error = false;
  bool out_of_data_space = false;
  // Metadata can't be changed any more.
  bool read_only = false;
  bool needs_check = false;
  // 0 when the pool has failed.
  std::uint64_t transaction_id = 0;

  friend bool operator==(const ThinPoolState&, const ThinPoolState&) = default;
};

struct RaidStatus {
  // One letter per leg: 'A' in sync, 'a' alive, 'D' failed.
  std::string health;
  std::uint64_t mismatches = 0;
  // "idle", "resync", "reshape", ...; empty when the kernel doesn't tell.
  std::string action;

  friend bool operator==(const RaidStatus&, const RaidStatus&) = default;
};

struct MirrorStatus {
  // Of all segments together.
  std::uint64_t regions_in_sync = 0;
  std::uint64_t regions = 0;
  bool leg_failed = false;

  friend bool operator==(const MirrorStatus&, const MirrorStatus&) = default;
};

struct CacheStatus {
  bool failed = false;
  bool read_only = false;
  bool needs_check = false;

  friend bool operator==(const CacheStatus&, const CacheStatus&) = default;
};

struct WritecacheStatus {
  bool failed = false;

  friend bool operator==(const WritecacheStatus&, const WritecacheStatus&) = default;
};

struct SnapshotStatus {
  // The device is an origin that takes its snapshot back, not the snapshot.
  bool is_merge = false;
  bool invalid = false;
  bool merge_failed = false;

  friend bool operator==(const SnapshotStatus&, const SnapshotStatus&) = default;
};

// std::monostate: not asked for, or a target without a status that matters.
using TargetStatus = std::variant<std::monostate, RaidStatus, MirrorStatus, CacheStatus,
                                  WritecacheStatus, SnapshotStatus>;

struct VolumeDevice {
  DeviceState state;
  TargetStatus target;

  friend bool operator==(const VolumeDevice&, const VolumeDevice&) = default;
};

// By LV id (32 characters, no dashes). A volume without an entry is inactive.
struct VgDevices {
  // The volume's own device.
  std::map<std::string, VolumeDevice, std::less<>> volumes;
  // What a volume with snapshots is really on, below its own device; and all that there is of a
  // volume under a cache (the "-real" layer).
  std::map<std::string, VolumeDevice, std::less<>> real;
  std::map<std::string, ThinPoolState, std::less<>> thin_pools;

  friend bool operator==(const VgDevices&, const VgDevices&) = default;
};

}  // namespace lvmd::model
