// The device-mapper devices of the active volumes of one volume group.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "lvmd/model/logical_volume.hpp"

namespace lvmd::model {

// The "-tpool" device of an active thin pool.
struct ThinPoolState {
  DeviceState device;
  // Absent if the pool has failed: the kernel reports no usage then.
  std::optional<PoolUsage> usage;
  // Also true if the kernel cannot read the pool's metadata; then `error` is true, too.
  bool failed = false;
  bool error = false;
  bool out_of_data_space = false;
  // The metadata cannot be changed.
  bool read_only = false;
  bool needs_check = false;
  // 0 if the pool has failed.
  std::uint64_t transaction_id = 0;

  friend bool operator==(const ThinPoolState&, const ThinPoolState&) = default;
};

struct RaidStatus {
  // One letter per leg: 'A' in sync, 'a' alive, 'D' failed.
  std::string health;
  std::uint64_t mismatches = 0;
  // "idle", "resync", "reshape", ...; empty if the kernel does not report it.
  std::string action;

  friend bool operator==(const RaidStatus&, const RaidStatus&) = default;
};

struct MirrorStatus {
  // The sums over all segments.
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

struct CowSnapshotStatus {
  // The device is an origin into which a snapshot is being merged, not the snapshot.
  bool is_merge = false;
  bool invalid = false;
  bool merge_failed = false;

  friend bool operator==(const CowSnapshotStatus&, const CowSnapshotStatus&) = default;
};

// std::monostate: the status was not read, or the target has no relevant status.
using TargetStatus = std::variant<std::monostate, RaidStatus, MirrorStatus, CacheStatus,
                                  WritecacheStatus, CowSnapshotStatus>;

struct VolumeDevice {
  DeviceState state;
  TargetStatus target;

  friend bool operator==(const VolumeDevice&, const VolumeDevice&) = default;
};

// The keys are LV ids (32 characters, no dashes). A volume without an entry is inactive.
struct VgDevices {
  // The volumes' own devices.
  std::map<std::string, VolumeDevice, std::less<>> volumes;
  // The "-real" devices: the data of a volume with snapshots, below its own device, and the only
  // device of a volume under a cache.
  std::map<std::string, VolumeDevice, std::less<>> real;
  std::map<std::string, ThinPoolState, std::less<>> thin_pools;

  friend bool operator==(const VgDevices&, const VgDevices&) = default;
};

}  // namespace lvmd::model
