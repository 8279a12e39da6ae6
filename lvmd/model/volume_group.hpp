// The state of one volume group at one moment.
#pragma once

#include <cstdint>
#include <expected>
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
