// What LVM's committed metadata says of one volume group, before device-mapper is asked. Pure
// values.
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

// How a volume's own segments map it.
enum class LvKind : std::uint8_t {
  kPlain,  // linear, striped, error, zero
  kMirror,
  kRaid,
  kThinPool,
  kThin,
  kCachePool,
  kCache,
  kWritecache,
  // No volume, though the text lists it as one: it says that a COW snapshot belongs to an origin.
  kSnapshotPair,
};

// What a volume is besides: flags of its own, and what the volumes that use it make of it.
enum class LvMark : std::uint8_t {
  kVirtual,  // a segment of it has no space: error, zero
  kPvmove,   // moves extents from one physical volume to another
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
  kPoolSpare,  // kept for the repair of a pool's metadata
  kUsedCachePool,
  kCacheVolume,  // holds a cache's data and metadata, or a writecache
  kCacheOrigin,
  kWritecacheOrigin,
  kPendingDelete,   // a cache that LVM is taking off its origin
  kCowStore,        // a COW snapshot
  kSnapshotOrigin,  // of COW snapshots
  kExternalOrigin,  // of thin volumes
  kMergingOrigin,   // a snapshot is merged, or about to be merged, into it
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
  // 32 characters, no dashes.
  std::string id;
  LvKind kind = LvKind::kPlain;
  LvMarks marks;
  // Of the first segment, as lvs names it.
  std::string segment_type;
  // Of the first segment.
  std::uint32_t stripes = 1;
  model::Extents size;
  // COW snapshots: the size of the origin.
  model::Extents origin_size;
  // Sorted, as lvs shows them.
  std::vector<std::string> tags;
  // Thin volumes: their thin pool. Cached ones: cache pool or cache volume.
  std::string pool;
  // Of a snapshot, a thin volume on an external origin, a cached volume.
  std::string origin;
  // Images of a mirror or RAID volume, and RAID metadata volumes, in the order of the device's
  // legs.
  std::vector<std::string> images;
  std::vector<std::string> raid_metadata;
  // The volume that this one is a part of; empty when it is none.
  std::string part_of;
  // Volumes that this one can't do without, in the order in which LVM looks for missing ones.
  std::vector<std::string> needs;
  // lvs(8)'s letter for the allocation policy.
  char allocation = 'i';
  bool visible = true;
  bool readable = true;
  bool writable = true;
  bool fixed_minor = false;
  bool activation_skip = false;
  // Thin pools: new blocks are zeroed.
  bool zeroes_blocks = false;
  // Thin pools: a thin volume was made in it once. LVM maps an untouched pool in another way.
  bool used_pool = false;
  // Thin pools: LVM's count of changes; and whether one of them may be still on its way to the
  // kernel, whose count is then one less.
  std::uint64_t transaction_id = 0;
  bool has_messages = false;
  // Which physical volumes hold it: indexes into VolumeGroupMetadata::physical_volumes.
  std::vector<std::size_t> on;
  // A physical volume under it, or under a volume that it needs, is missing.
  bool partial = false;

  [[nodiscard]] bool is(LvMark mark) const { return marks.has(mark); }

  friend bool operator==(const LvMetadata&, const LvMetadata&) = default;
};

struct VolumeGroupMetadata {
  std::string id;
  std::string name;
  std::uint64_t seqno = 0;
  model::Bytes extent_size;
  // Free extents and areas included. `device` is filled by MetadataReader, and `missing` where it
  // found none.
  std::vector<model::PhysicalVolume> physical_volumes;
  // Sorted by name; names are unique.
  std::vector<LvMetadata> logical_volumes;
  // The volumes in the order of the text: indexes into logical_volumes.
  std::vector<std::size_t> text_order;
  // Ids of physical volumes that the metadata names but no given device has, though LVM doesn't
  // know them as missing: LVM should be asked again which devices it uses.
  std::vector<std::string> unknown_physical_volumes;

  // Null when there is no such volume.
  [[nodiscard]] const LvMetadata* find(std::string_view lv_name) const;
  [[nodiscard]] LvMetadata* find(std::string_view lv_name);

  friend bool operator==(const VolumeGroupMetadata&, const VolumeGroupMetadata&) = default;
};

}  // namespace lvmd::metadata
