// The state of one volume group at one moment.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/clock.hpp"
#include "lvmd/base/result.hpp"
#include "lvmd/model/logical_volume.hpp"
#include "lvmd/model/units.hpp"

namespace lvmd::model {

struct PhysicalVolume {
  // The PV's UUID without dashes, 32 characters.
  std::string id;
  // The device node that LVM uses for the PV; empty if the PV is missing.
  std::string device;
  Extents size;
  Extents free;
  // The lengths of the free areas in their order on the disk. Their sum is `free`.
  std::vector<Extents> free_areas{};
  // False after `pvchange -xn`: LVM allocates no extents on the PV.
  bool allocatable = true;
  bool missing = false;

  friend bool operator==(const PhysicalVolume&, const PhysicalVolume&) = default;
};

// The copies of the group's metadata on its PVs.
struct MetadataCopies {
  // The longest text that LVM can write into the smallest area, which must hold the old and the new
  // text at the same time. 0: unknown.
  Bytes longest_text;
  // The number of bytes by which the text can still grow.
  Bytes free;
  // For people: one text for each copy that cannot be read or is outdated, with the device and the
  // reason. Absent if the reader does not verify copies.
  std::optional<std::vector<std::string>> damaged{};

  friend bool operator==(const MetadataCopies&, const MetadataCopies&) = default;
};

// The source of a state: the metadata on the disks, or LVM's report.
enum class StateSource : std::uint8_t { kMetadata, kReport };

struct VolumeGroup {
  // The VG's UUID without dashes, 32 characters.
  std::string id;
  std::string name;
  // LVM's counter of committed changes. It can decrease (vgcfgrestore).
  std::uint64_t seqno = 0;
  Bytes extent_size;
  std::vector<PhysicalVolume> physical_volumes{};
  // Sorted by name.
  std::vector<LogicalVolume> logical_volumes{};
  StateSource source = StateSource::kMetadata;
  MetadataCopies copies{};
  // The sorted names of the active thin pools that dmeventd does not monitor, as of LVM's last
  // report. Absent if the reader does not check it.
  std::optional<std::vector<std::string>> unmonitored_pools{};

  // All extents of all PVs, in bytes, as `vgs -o vg_size`.
  [[nodiscard]] Bytes size() const;
  // All free extents, in bytes, as `vgs -o vg_free`: also on PVs that are not allocatable.
  [[nodiscard]] Bytes free() const;
  // Null if the group has no such volume. Also finds internal volumes.
  [[nodiscard]] const LogicalVolume* find(std::string_view name) const;

  friend bool operator==(const VolumeGroup&, const VolumeGroup&) = default;
};

// One observation of a volume group: the group, or Unavailable with the reason (missing, exported,
// of another host, duplicate PVs). Of two observations, the one with the larger observed_at is the
// newer one, regardless of its source.
struct VgState {
  std::string name;
  // The time before the first byte was read.
  MonotonicTime observed_at;
  Result<VolumeGroup> group;
};

}  // namespace lvmd::model
