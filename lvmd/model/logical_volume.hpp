// One logical volume as LVM's metadata and device-mapper describe it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/model/units.hpp"

namespace lvmd::model {

// What a volume is to callers; the segment type has the details.
enum class LvRole : std::uint8_t {
  kPlain,     // linear, striped, mirror, raid, cached: space of the volume group
  kThinPool,  // holds thin volumes, is not itself used by anybody
  kThin,      // a thin volume or thin snapshot
  kCowSnapshot,
  kInternal,  // a part of another volume (pool data, raid image, cache pool): hidden from callers
};

// What device-mapper says of an active volume's node.
struct DeviceState {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  // Openers at the time of observation; no event tells of a change.
  std::int32_t open_count = 0;
  bool suspended = false;
  bool read_only = false;
  // A table is loaded and in use; false right after a device was made.
  bool live_table = true;
  // A table is loaded but not yet in use.
  bool inactive_table = false;

  friend bool operator==(const DeviceState&, const DeviceState&) = default;
};

// How full a thin pool is, in percent of its data and metadata space.
struct PoolUsage {
  double data_percent = 0;
  double metadata_percent = 0;

  friend bool operator==(const PoolUsage&, const PoolUsage&) = default;
};

struct LogicalVolume {
  std::string name;
  // The LV's UUID without dashes, 32 characters. With the VG's it is the device-mapper UUID.
  std::string id;
  LvRole role = LvRole::kPlain;
  // LVM's segment type of the first segment ("linear", "striped", "thin", "raid1", ...).
  std::string segment_type;
  // Of the first segment; 1 where it isn't striped.
  std::uint32_t stripes = 1;
  // For a COW snapshot the size of its origin: what a reader of the device sees.
  Bytes size;
  // Every tag, the private ones of lvmd (see ownership.hpp) too.
  std::vector<std::string> tags;
  // The thin pool that a thin volume lives in; empty otherwise.
  std::string pool;
  // Origin of a snapshot; empty otherwise.
  std::string origin;
  // The volume that an internal one is a part of, where LVM's metadata tells. Known to those who
  // read the group; the channel doesn't carry it.
  std::string part_of{};
  bool writable = true;
  // "/dev/<vg>/<lv>".
  std::string path;
  // lvs(8)'s ten characters.
  std::string attr;
  // Absent while the volume is inactive.
  std::optional<DeviceState> device;
  // Thin pools that are active only.
  std::optional<PoolUsage> usage;

  [[nodiscard]] bool is_visible() const { return role != LvRole::kInternal; }

  friend bool operator==(const LogicalVolume&, const LogicalVolume&) = default;
};

}  // namespace lvmd::model
