// The state of a volume, from what is true of it now. No state is final: each one ends with its
// facts, even if an event was missed. Pure and thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "csi/lifecycle/state.hpp"

namespace lvmd::lifecycle {

// What can fail. kExpand is the growth of the volume or of its file system.
enum class Call : std::uint8_t {
  kCreate,
  kRemove,
  kExpand,
  kStage,
  kUnstage,
  kPublish,
  kUnpublish,
};

// A call that failed and has not succeeded since.
struct VolumeFailure {
  // Absent: no call failed, but the volume is unusable, for example missing.
  std::optional<Call> call{};
  // CamelCase, for programs.
  std::string reason{};
  // For a person.
  std::string message{};

  friend bool operator==(const VolumeFailure&, const VolumeFailure&) = default;
};

struct Facts {
  // status.csiStatus, and the number of publications when it was written. Absent: there is none.
  std::optional<State> before{};
  std::uint32_t publications_before = 0;
  // The volume was created, and no restore into it is open. Stays true if the volume is lost.
  bool created = false;
  // The requested size is above the current one.
  bool growing = false;
  // The object is to be deleted with its volume.
  bool removing = false;
  // The volume of such an object is gone.
  bool removed = false;
  // From the mount table: the volume is staged, and the number of pods that it is published to.
  bool staged = false;
  std::uint32_t publications = 0;
  // The most important one first.
  std::vector<VolumeFailure> failures{};
};

struct Derived {
  State state = State::kCreating;
  // Present if and only if the state is Failed.
  std::optional<VolumeFailure> failure{};

  friend bool operator==(const Derived&, const Derived&) = default;
};

// Decides every combination of facts, also contradictory ones. The first line that applies:
//
//   removed                                              Removed
//   a failure that counts (the first one)                Failed
//   removing                                             Removing
//   not created                                          Creating
//   growing                                              Resizing
//   `before` is Resizing or Resized, and since then the  Resized
//     publications neither increased nor dropped to 0
//   published                                            Published
//   staged                                               VolumeReady
//   otherwise                                            Created
//
// Before the volume is created, only a failure of kCreate counts, because lvmd then refuses to
// stage and to publish. During the removal only a failure of kRemove, kUnstage or kUnpublish
// counts, because only these calls delay it.
//
// Writing the result changes nothing: with the derived state and its publications as `before`, the
// same facts lead to the same state.
[[nodiscard]] Derived derive(const Facts& facts);

}  // namespace lvmd::lifecycle
