// What a worker is about to do to one volume, as text that outlives a crash. Rule P-INTENT-1.
//
// LVM commits a change first and then does the rest: activates, wipes, loads the new size. Whoever
// finds an intent after a crash knows that a volume may have stopped in between.
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
    kSnapshot,  // a new volume with the contents of another
    kResize,
    kRemove,
    kUndo,  // the removal of a new volume that could not be made whole
  };

  Kind kind = Kind::kCreate;
  std::string volume;
  // The group's id, and its seqno before the change.
  std::string vg_id;
  std::uint64_t seqno = 0;
  // The volume's id; empty for one that is only now being made.
  std::string lv_id;
  // New volumes: what their private tags say, and with that how to know them.
  model::Ownership ownership;

  // Nobody may see the volume before the intent is settled.
  [[nodiscard]] bool hides_volume() const { return kind != Kind::kResize && kind != Kind::kRemove; }

  // `lv` is the volume that this is about: the one with the id, or with the tags.
  [[nodiscard]] bool is_about(const model::LogicalVolume& lv) const;
  // The group has seen no more changes since than a crash explains. A record that came back with an
  // old backup of the host's disk is not recent, and nothing may be changed on its word.
  [[nodiscard]] bool is_recent(const model::VolumeGroup& group) const;

  friend bool operator==(const Intent&, const Intent&) = default;
};

[[nodiscard]] std::string_view to_string(Intent::Kind kind);

// Lines of "key=value" between a first line that names the format and a last line that says that
// the text is whole.
[[nodiscard]] std::string to_text(const Intent& intent);
// Internal when `text` is not what to_text() writes; FailedPrecondition, saying so, when a newer
// lvmd wrote it: its first line names a later format, or the text is whole and its kind unknown.
[[nodiscard]] Result<Intent> intent_from_text(std::string_view text);

}  // namespace lvmd::volumes::worker
