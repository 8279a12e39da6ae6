// What the snapshot controller allows the volume controller to do with an object's volume.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lvmd/base/error.hpp"

namespace lvmd::reconciler {

// How a volume is created.
enum class CreationMode : std::uint8_t {
  kPlain,      // blank, or as a snapshot of the source's volume
  kRestore,    // blank, to be filled from a backup
  kUndecided,  // the snapshot controller needs more information first
};

struct SnapshotConstraint {
  // Online snapshots are enabled: the snapshot controller plans after the volume controller.
  bool is_enabled = false;
  // Why the object can be neither changed nor removed. It is reported in the status.
  std::optional<Error> refusal{};
  // The status shows a refusal that does not apply any more [R-ONLINE-14].
  bool is_refusal_outdated = false;
  // A transfer has to end, or a backup has to be deleted, before the volume is removed.
  bool blocks_removal = false;
  // A transfer is reading or writing the volume, so it must not be resized.
  bool blocks_growth = false;
  // The volume exists, and its volumeID is withheld until its restore has succeeded [R-ONLINE-4].
  bool withholds_volume = false;
  CreationMode creation = CreationMode::kPlain;
  // With kRestore: the id to store in the object before the volume is created [R-ONLINE-2].
  std::string restore_from{};
};

}  // namespace lvmd::reconciler
