// What can be done next for one object. One step is one call of lvmd or one write to the store.
#pragma once

#include <variant>

#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

struct Nothing {
  friend bool operator==(const Nothing&, const Nothing&) = default;
};

// Makes our hold on the object durable: finalizer and label, or the record with the volume's name.
struct Mark {
  friend bool operator==(const Mark&, const Mark&) = default;
};

// GetLVList: is there a volume of the object's name?
struct LookUp {
  friend bool operator==(const LookUp&, const LookUp&) = default;
};

struct Create {
  Bytes size;

  friend bool operator==(const Create&, const Create&) = default;
};

struct Resize {
  Bytes size;

  friend bool operator==(const Resize&, const Resize&) = default;
};

// Takes down that the removal will be finished, whatever comes.
struct BeginRemoval {
  friend bool operator==(const BeginRemoval&, const BeginRemoval&) = default;
};

struct Remove {
  friend bool operator==(const Remove&, const Remove&) = default;
};

// The opposite of Mark: the volume is gone.
struct Release {
  friend bool operator==(const Release&, const Release&) = default;
};

struct WriteStatus {
  VolumeStatus status;

  friend bool operator==(const WriteStatus&, const WriteStatus&) = default;
};

using Step =
    std::variant<Nothing, Mark, LookUp, Create, Resize, BeginRemoval, Remove, Release, WriteStatus>;

}  // namespace lvmd::reconciler
