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
  // The device node that LVM chose for it; empty when the PV is missing.
  std::string device;
  Extents size;
  Extents free;
  // Lengths of the free areas in the order they lie on the disk; their sum is `free`.
  std::vector<Extents> free_areas{};
  // vgchange/pvchange -xn: no new extents may be taken from it.
  bool allocatable = true;
  bool missing = false;

  friend bool operator==(const PhysicalVolume&, const PhysicalVolume&) = default;
};

// The copies of the group's metadata on its physical volumes.
struct MetadataCopies {
  // The longest text that LVM writes into the smallest of the areas: it needs room for the old text
  // and the new one. 0 while that is unknown.
  Bytes longest_text;
  // By how much the text may grow until then.
  Bytes free;
  // For people: each copy that can't be read or is not the group's newest text, with its device and
  // what is wrong. Absent from a reader that doesn't verify copies.
  std::optional<std::vector<std::string>> damaged{};

  friend bool operator==(const MetadataCopies&, const MetadataCopies&) = default;
};

// Which of the two readers made a state.
enum class StateSource : std::uint8_t { kMetadata, kReport };

struct VolumeGroup {
  // The VG's UUID without dashes, 32 characters.
  std::string id;
  std::string name;
  // LVM's counter of committed changes. A smaller one than before is legal (vgcfgrestore).
  std::uint64_t seqno = 0;
  Bytes extent_size;
  std::vector<PhysicalVolume> physical_volumes;
  // Sorted by name.
  std::vector<LogicalVolume> logical_volumes;
  StateSource source = StateSource::kMetadata;
  MetadataCopies copies{};
  // Names of the active thin pools that dmeventd doesn't watch, sorted, by LVM's word when it was
  // last asked. Absent from a reader that doesn't ask.
  std::optional<std::vector<std::string>> unmonitored_pools{};

  [[nodiscard]] Bytes size() const;
  // As vgs reports vg_free: every PV's free extents, whether allocatable or not.
  [[nodiscard]] Bytes free() const;
  // Null when the group has no such volume. Internal volumes are found too.
  [[nodiscard]] const LogicalVolume* find(std::string_view name) const;

  friend bool operator==(const VolumeGroup&, const VolumeGroup&) = default;
};

// What a reader knows of a volume group: the group, or why it can't be had (missing, exported,
// foreign, duplicate PVs: Unavailable with the reason). The larger observed_at wins, whoever sends
// it.
struct VgState {
  std::string name;
  // Taken before the first byte was read.
  MonotonicTime observed_at;
  Result<VolumeGroup> group;
};

}  // namespace lvmd::model
