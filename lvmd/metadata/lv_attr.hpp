// lvs(8)'s ten attribute characters.
#pragma once

#include <optional>
#include <string>

#include "lvmd/metadata/volume_group_metadata.hpp"
#include "lvmd/model/logical_volume.hpp"
#include "lvmd/model/vg_devices.hpp"

namespace lvmd::metadata {

// What the characters are made of.
struct LvFacts {
  LvKind kind = LvKind::kPlain;
  // As in LvMetadata.
  char allocation = 'i';
  bool readable = true;
  bool writable = true;
  bool fixed_minor = false;
  bool activation_skip = false;
  // Of the thin pool itself, or of a thin volume's pool.
  bool zeroes_blocks = false;
  // A physical volume under it is missing.
  bool partial = false;
  // Absent: inactive.
  std::optional<model::DeviceState> device;
  // State of the thin pool itself, or of a thin volume's pool; absent when that isn't active.
  std::optional<model::ThinPoolState> pool;
};

// For the kinds of LvKind the same as `lvs -o lv_attr` (lvs(8), LVM 2.03) shows, except that it
// never has the 'X' (unknown) that lvs shows while a table and the metadata disagree.
[[nodiscard]] std::string lv_attr(const LvFacts& facts);

}  // namespace lvmd::metadata
