// lvs(8)'s ten attribute characters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lvmd/metadata/volume_group_metadata.hpp"
#include "lvmd/model/logical_volume.hpp"

namespace lvmd::state {

// How an active volume does, as far as lvs shows it.
struct LvCondition {
  enum class Snapshot : std::uint8_t { kSound, kInvalid, kMergeFailed };

  // Of a COW snapshot, or of an origin that takes one back.
  Snapshot snapshot = Snapshot::kSound;
  // A thin pool's or a cache's metadata must be checked.
  bool needs_check = false;
  // An image of a mirror or RAID volume has what the others have.
  bool in_sync = false;
  // lvs(8)'s ninth character for a volume that has all of its physical volumes.
  char health = '-';

  friend bool operator==(const LvCondition&, const LvCondition&) = default;
};

// The same as `lvs -o lv_attr` (lvs(8), LVM 2.03) shows for `lv`, except that it never has the 'X'
// (unknown) that lvs shows while a table and the metadata disagree. `device` is absent for an
// inactive volume; `zeroes_blocks` is the thin pool's own, or that of a thin volume's pool.
[[nodiscard]] std::string lv_attr(const metadata::LvMetadata& lv,
                                  const std::optional<model::DeviceState>& device,
                                  const LvCondition& condition, bool zeroes_blocks);

}  // namespace lvmd::state
