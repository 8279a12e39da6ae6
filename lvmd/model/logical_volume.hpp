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

// How an active thin pool does.
enum class PoolHealth : std::uint8_t {
  kOk,
  // New blocks can't be written; volumes can be removed.
  kOutOfDataSpace,
  // The kernel doesn't change the pool's metadata any more: its space is used up, or writing it
  // failed.
  kReadOnly,
  kNeedsCheck,
  // The kernel fails every I/O.
  kFailed,
  // The kernel can't read the pool's metadata.
  kError,
  // The kernel's metadata and LVM's are not of the same moment.
  kTransactionMismatch,
};

struct PoolCondition {
  // By the kernel alone: never kTransactionMismatch.
  PoolHealth kernel = PoolHealth::kOk;
  // LVM counts changes of the pool's volumes in both places. The kernel's is 0 while it tells none.
  std::uint64_t kernel_transaction = 0;
  std::uint64_t metadata_transaction = 0;

  // By both.
  [[nodiscard]] PoolHealth health() const {
    const bool tells = kernel == PoolHealth::kOk || kernel == PoolHealth::kOutOfDataSpace;
    return tells && kernel_transaction != metadata_transaction ? PoolHealth::kTransactionMismatch
                                                               : kernel;
  }

  friend bool operator==(const PoolCondition&, const PoolCondition&) = default;
};

// Whether a RAID volume or mirror could lose a disk now, by the kernel.
enum class Redundancy : std::uint8_t {
  kInSync,
  // Its copies are being made alike, or wait for it.
  kOutOfSync,
  // One of its legs has failed.
  kDegraded,
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
  // Absent while the volume is inactive. A command that was killed can leave one without a table.
  std::optional<DeviceState> device;
  // Thin pools that are active only; absent, too, while the kernel tells none (PoolHealth).
  std::optional<PoolUsage> usage;
  // Of a thin pool whose target is in the kernel.
  std::optional<PoolCondition> pool_condition{};
  // Of an active RAID volume or mirror.
  std::optional<Redundancy> redundancy{};
  // A physical volume under it is missing.
  bool partial = false;

  [[nodiscard]] bool is_active() const { return device && device->live_table; }
  [[nodiscard]] bool is_visible() const { return role != LvRole::kInternal; }

  friend bool operator==(const LogicalVolume&, const LogicalVolume&) = default;
};

}  // namespace lvmd::model
