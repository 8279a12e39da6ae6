// What LVM's committed metadata says of one volume group, before device-mapper is asked. Pure
// values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lvmd/model/units.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::metadata {

enum class LvKind : std::uint8_t {
  kPlain,  // linear or striped, and no part of a pool
  kThinPool,
  kThin,
  kPoolData,      // the space of a thin pool ("_tdata")
  kPoolMetadata,  // a thin pool's own metadata ("_tmeta"), or the spare for one ("_pmspare")
};

struct LvMetadata {
  std::string name;
  // 32 characters, no dashes.
  std::string id;
  LvKind kind = LvKind::kPlain;
  // Of the first segment, as lvs names it.
  std::string segment_type;
  // Of the first segment.
  std::uint32_t stripes = 1;
  model::Extents size;
  // Sorted, as lvs shows them.
  std::vector<std::string> tags;
  // Thin volumes: their pool, and the origin of a snapshot.
  std::string pool;
  std::string origin;
  // Thin pools: the two volumes that they are made of.
  std::string pool_data;
  std::string pool_metadata;
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
  // Which physical volumes hold it: indexes into VolumeGroupMetadata::physical_volumes.
  std::vector<std::size_t> on;

  friend bool operator==(const LvMetadata&, const LvMetadata&) = default;
};

struct VolumeGroupMetadata {
  std::string id;
  std::string name;
  std::uint64_t seqno = 0;
  model::Bytes extent_size;
  // Free extents included. `device` is filled by MetadataReader, and `missing` where it found none.
  std::vector<model::PhysicalVolume> physical_volumes;
  // Sorted by name; names are unique.
  std::vector<LvMetadata> logical_volumes;
  // Ids of physical volumes that the metadata names but no given device has, though LVM doesn't
  // know them as missing: LVM should be asked again which devices it uses.
  std::vector<std::string> unknown_physical_volumes;

  friend bool operator==(const VolumeGroupMetadata&, const VolumeGroupMetadata&) = default;
};

}  // namespace lvmd::metadata
