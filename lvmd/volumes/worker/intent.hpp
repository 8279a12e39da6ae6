// The planned change of one volume, as a record that survives a crash. Rule P-INTENT-1.
//
// LVM commits a change first and then completes it: activates, wipes, loads the new size. An intent
// found after a crash means that a change may be incomplete.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/ownership.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes::worker {

struct Intent {
  enum class Kind : std::uint8_t {
    kCreate,    // a new volume, which must be blank
    kSnapshot,  // a new volume with the contents of its source
    kResize,
    kRemove,
    kUndo,  // removes a new volume that could not be completed
  };

  Kind kind = Kind::kCreate;
  std::string volume;
  // The group's ID, and its seqno before the change.
  std::string vg_id;
  std::uint64_t seqno = 0;
  // The volume's ID; empty for a new volume.
  std::string lv_id;
  // The private tags of a new volume, which identify it.
  model::Ownership ownership;

  // True if the volume is hidden from clients while the intent is open.
  [[nodiscard]] bool hides_volume() const { return kind != Kind::kResize && kind != Kind::kRemove; }

  // True if `lv` is the volume of this intent: it has the ID or, if that is empty, the tags.
  [[nodiscard]] bool is_about(const model::LogicalVolume& lv) const;
  // True if the group has had at most 100 changes since. A record from an old backup of the host's
  // disk is not recent, and lvmd must not act on it.
  [[nodiscard]] bool is_recent(const model::VolumeGroup& group) const;

  friend bool operator==(const Intent&, const Intent&) = default;
};

[[nodiscard]] std::string_view to_string(Intent::Kind kind);

// Lines of "key=value" between a first line with the format and a last line that marks the end of a
// complete record.
[[nodiscard]] std::string to_text(const Intent& intent);
// Internal if `text` is damaged. FailedPrecondition if a newer lvmd wrote it: its first line has a
// later format, or the record is complete and its kind is unknown.
[[nodiscard]] Result<Intent> intent_from_text(std::string_view text);

}  // namespace lvmd::volumes::worker
