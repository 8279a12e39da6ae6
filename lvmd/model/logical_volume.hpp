// The state of one logical volume, from LVM's metadata and device-mapper.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/model/units.hpp"

namespace lvmd::model {

// The role of a volume for callers. The segment type has the details.
enum class LvRole : std::uint8_t {
  kPlain,     // linear, striped, mirror, raid, cached: takes space from the volume group
  kThinPool,  // contains thin volumes; callers do not use it directly
  kThin,      // a thin volume or thin snapshot
  kCowSnapshot,
  kInternal,  // part of another volume (pool data, raid image, cache pool); hidden from callers
};

// The device-mapper device of an active volume.
struct DeviceState {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  // The open count at the time of observation. The kernel reports no event when it changes.
  std::int32_t open_count = 0;
  bool suspended = false;
  bool read_only = false;
  // A table is in use. False directly after the creation of the device.
  bool live_table = true;
  // A table is loaded, but not yet in use.
  bool inactive_table = false;

  friend bool operator==(const DeviceState&, const DeviceState&) = default;
};

// The usage of a thin pool, in percent of its data space and of its metadata space.
struct PoolUsage {
  double data_percent = 0;
  double metadata_percent = 0;

  friend bool operator==(const PoolUsage&, const PoolUsage&) = default;
};

// The health of an active thin pool.
enum class PoolHealth : std::uint8_t {
  kOk,
  // The pool cannot allocate blocks. Volumes can be removed.
  kOutOfDataSpace,
  // The kernel does not change the pool's metadata: the metadata space is full, or a write failed.
  kReadOnly,
  kNeedsCheck,
  // All I/O fails.
  kFailed,
  // The kernel cannot read the pool's metadata.
  kError,
  // The kernel and LVM's metadata have different transaction ids.
  kTransactionMismatch,
};

struct PoolCondition {
  // The health that the kernel reports; never kTransactionMismatch.
  PoolHealth kernel = PoolHealth::kOk;
  // LVM increments both ids with each change of the pool's volumes. The kernel's id is 0 if the
  // kernel reports none.
  std::uint64_t kernel_transaction = 0;
  std::uint64_t metadata_transaction = 0;

  // The health that results from the kernel's report and the two ids.
  [[nodiscard]] PoolHealth health() const {
    const bool has_id = kernel == PoolHealth::kOk || kernel == PoolHealth::kOutOfDataSpace;
    return has_id && kernel_transaction != metadata_transaction ? PoolHealth::kTransactionMismatch
                                                                : kernel;
  }

  friend bool operator==(const PoolCondition&, const PoolCondition&) = default;
};

// Whether a RAID volume or mirror is redundant at present, as the kernel reports it.
enum class Redundancy : std::uint8_t {
  kInSync,
  // The copies are being synchronised, or wait for synchronisation.
  kOutOfSync,
  // A leg has failed.
  kDegraded,
};

struct LogicalVolume {
  std::string name;
  // The LV's UUID without dashes, 32 characters.
  std::string id;
  LvRole role = LvRole::kPlain;
  // The type of the first segment ("linear", "striped", "thin", "raid1", ...).
  std::string segment_type;
  // The number of stripes or images of the first segment; 1 if it has only one area.
  std::uint32_t stripes = 1;
  // For a COW snapshot: the size of its origin, which is the size of the device.
  Bytes size;
  // All tags, including lvmd's private tags (ownership.hpp).
  std::vector<std::string> tags;
  // The thin pool of a thin volume; otherwise empty.
  std::string pool;
  // The origin of a snapshot; otherwise empty.
  std::string origin;
  // The volume that contains this internal volume, if LVM's metadata shows it. Only set in the
  // process that reads the group: frames do not contain it.
  std::string part_of{};
  bool writable = true;
  // "/dev/<vg>/<lv>".
  std::string path;
  // The ten characters of `lvs -o lv_attr`.
  std::string attr;
  // Absent if the volume is inactive. A killed command can leave a device without a table.
  std::optional<DeviceState> device{};
  // Only for an active thin pool. Absent if the kernel reports no usage because the pool has
  // failed.
  std::optional<PoolUsage> usage{};
  // Only for a thin pool that has a thin-pool target in the kernel.
  std::optional<PoolCondition> pool_condition{};
  // Only for an active RAID volume or mirror.
  std::optional<Redundancy> redundancy{};
  // A PV that the volume uses is missing.
  bool partial = false;

  [[nodiscard]] bool is_active() const { return device && device->live_table; }
  [[nodiscard]] bool is_visible() const { return role != LvRole::kInternal; }

  friend bool operator==(const LogicalVolume&, const LogicalVolume&) = default;
};

}  // namespace lvmd::model
