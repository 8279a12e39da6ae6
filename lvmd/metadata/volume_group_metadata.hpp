// One volume group as in LVM's committed metadata, without the state of device-mapper.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/model/units.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::metadata {

// The kind of a volume, from its own segments.
enum class LvKind : std::uint8_t {
  kPlain,  // linear, striped, error, zero
  kMirror,
  kRaid,
  kThinPool,
  kThin,
  kCachePool,
  kCache,
  kWritecache,
  // Not a volume, although the text lists it as one: connects a COW snapshot with its origin.
  kSnapshotPair,
};

// Further properties of a volume: its own flags, and its roles for volumes that refer to it.
enum class LvMark : std::uint8_t {
  kVirtual,  // has a segment without space: error, zero
  kPvmove,   // moves extents from one PV to another
  kLocked,   // its extents are being moved
  kConverting,
  kNotSynced,
  kWritemostly,
  kRemoveAfterReshape,
  kMirrorImage,
  kMirrorLog,
  kRaidImage,
  kRaidMetadata,
  kThinPoolData,
  kThinPoolMetadata,
  kCachePoolData,
  kCachePoolMetadata,
  kPoolSpare,  // reserved for the repair of a pool's metadata
  kUsedCachePool,
  kCacheVolume,  // has the data and metadata of a cache, or of a writecache
  kCacheOrigin,
  kWritecacheOrigin,
  kPendingDelete,   // a cache that LVM is detaching from its origin
  kCowStore,        // a COW snapshot
  kSnapshotOrigin,  // the origin of COW snapshots
  kExternalOrigin,  // the external origin of thin volumes
  kMergingOrigin,   // a snapshot is being, or will be, merged into it
  kMergingSnapshot,
  kCount,
};

class LvMarks {
 public:
  [[nodiscard]] bool has(LvMark mark) const { return bits_.test(static_cast<std::size_t>(mark)); }
  void add(LvMark mark) { bits_.set(static_cast<std::size_t>(mark)); }
  void add_all(const LvMarks& marks) { bits_ |= marks.bits_; }

  friend bool operator==(const LvMarks&, const LvMarks&) = default;

 private:
  std::bitset<static_cast<std::size_t>(LvMark::kCount)> bits_;
};

struct LvMetadata {
  std::string name;
  // The LV's UUID without dashes, 32 characters.
  std::string id;
  LvKind kind = LvKind::kPlain;
  LvMarks marks;
  // The type of the first segment, as in lvs.
  std::string segment_type;
  // The number of stripes or images of the first segment.
  std::uint32_t stripes = 1;
  model::Extents size;
  // Only for COW snapshots: the size of the origin.
  model::Extents origin_size;
  // Sorted, as in lvs.
  std::vector<std::string> tags;
  // The thin pool of a thin volume, or the cache pool or cache volume of a cached volume.
  std::string pool;
  // The origin of a snapshot, of a thin volume on an external origin, or of a cached volume.
  std::string origin;
  // The images of a mirror or RAID volume, and the RAID metadata volumes, in the order of the legs
  // in the kernel.
  std::vector<std::string> images;
  std::vector<std::string> raid_metadata;
  // The volume that contains this one. Empty: none.
  std::string part_of;
  // The volumes without which this one is incomplete, in the order in which LVM checks them.
  std::vector<std::string> needs;
  // The letter of the allocation policy in lvs(8).
  char allocation = 'i';
  bool visible = true;
  bool readable = true;
  bool writable = true;
  bool fixed_minor = false;
  bool activation_skip = false;
  // Only for thin pools: the kernel zeroes new blocks.
  bool zeroes_blocks = false;
  // Only for thin pools: the pool has, or had, a thin volume. LVM maps an unused pool differently.
  bool used_pool = false;
  // Only for thin pools: LVM's transaction id, and whether LVM may not have sent the last change to
  // the kernel yet. The kernel's id is then one less.
  std::uint64_t transaction_id = 0;
  bool has_messages = false;
  // The PVs of the volume: indexes into VolumeGroupMetadata::physical_volumes.
  std::vector<std::size_t> on;
  // A PV of the volume, or of a volume that it needs, is missing.
  bool partial = false;

  [[nodiscard]] bool is(LvMark mark) const { return marks.has(mark); }

  friend bool operator==(const LvMetadata&, const LvMetadata&) = default;
};

struct VolumeGroupMetadata {
  std::string id;
  std::string name;
  std::uint64_t seqno = 0;
  model::Bytes extent_size;
  // With free extents and areas. MetadataReader sets `device`, and `missing` if it finds no device.
  std::vector<model::PhysicalVolume> physical_volumes;
  // Sorted by name; names are unique.
  std::vector<LvMetadata> logical_volumes;
  // The order of the volumes in the text: indexes into logical_volumes.
  std::vector<std::size_t> text_order;
  // The ids of PVs that are on none of the given devices, although the metadata does not mark them
  // as missing. The caller should ask LVM again for its devices.
  std::vector<std::string> unknown_physical_volumes;

  // Null if there is no such volume.
  [[nodiscard]] const LvMetadata* find(std::string_view lv_name) const;
  [[nodiscard]] LvMetadata* find(std::string_view lv_name);

  friend bool operator==(const VolumeGroupMetadata&, const VolumeGroupMetadata&) = default;
};

}  // namespace lvmd::metadata
