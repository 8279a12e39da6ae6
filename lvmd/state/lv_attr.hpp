// The ten attribute characters of lvs(8). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lvmd/metadata/volume_group_metadata.hpp"
#include "lvmd/model/logical_volume.hpp"

namespace lvmd::state {

// The condition of an active volume that lvs shows.
struct LvCondition {
  enum class Snapshot : std::uint8_t { kSound, kInvalid, kMergeFailed };

  // For a COW snapshot, or an origin into which a snapshot is being merged.
  Snapshot snapshot = Snapshot::kSound;
  // The metadata of a thin pool or cache needs a check.
  bool needs_check = false;
  // For an image of a mirror or RAID volume: it is in sync with the others.
  bool in_sync = false;
  // The ninth character of lvs(8) for a volume without missing PVs.
  char health = '-';

  friend bool operator==(const LvCondition&, const LvCondition&) = default;
};

// The value of `lvs -o lv_attr` (lvs(8), LVM 2.03) for `lv`, but never with the 'X' (unknown) that
// lvs shows while table and metadata differ. `device` is absent for an inactive volume.
// `zeroes_blocks` is the setting of the thin pool, or of a thin volume's pool.
[[nodiscard]] std::string lv_attr(const metadata::LvMetadata& lv,
                                  const std::optional<model::DeviceState>& device,
                                  const LvCondition& condition, bool zeroes_blocks);

}  // namespace lvmd::state
