// What can be done next for one object. One step is one call of lvmd or one write to the store.
#pragma once

#include <string>
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

// Asks lvmd for the device classes of spec.vgName.
struct FindClasses {
  friend bool operator==(const FindClasses&, const FindClasses&) = default;
};

// Reads the object that spec.source names.
struct FindSource {
  friend bool operator==(const FindSource&, const FindSource&) = default;
};

// What the next step needs isn't there. As a failed call of lvmd: told, and tried again.
struct Unmet {
  Error error;

  friend bool operator==(const Unmet&, const Unmet&) = default;
};

struct Create {
  Bytes size;

  friend bool operator==(const Create&, const Create&) = default;
};

struct CreateSnapshot {
  // The source's name in LVM.
  std::string source;
  Bytes size;

  friend bool operator==(const CreateSnapshot&, const CreateSnapshot&) = default;
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

// Release without the volume being gone: it is left behind.
struct Abandon {
  friend bool operator==(const Abandon&, const Abandon&) = default;
};

struct WriteStatus {
  VolumeStatus status;

  friend bool operator==(const WriteStatus&, const WriteStatus&) = default;
};

using Step =
    std::variant<Nothing, Mark, FindClasses, LookUp, FindSource, Unmet, Create, CreateSnapshot,
                 Resize, BeginRemoval, Remove, Release, Abandon, WriteStatus>;

}  // namespace lvmd::reconciler
