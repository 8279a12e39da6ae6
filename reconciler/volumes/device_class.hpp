// Which device class an object's volume is in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// A device class that may be the object's: one of the volume group that an older object names, or
// the default class.
struct ClassOfGroup {
  std::string name;
  // It has a volume of the object's name.
  bool has_volume = false;

  friend bool operator==(const ClassOfGroup&, const ClassOfGroup&) = default;
};

using Classes = std::vector<ClassOfGroup>;

// The classes of spec.vgName [R-OBJ-17], or the default class of a volume that is yet to be made
// [R-CREATE-8], have to be asked for before lvmd can be told of the volume.
[[nodiscard]] bool needs_classes(const LogicalVolume& volume);

// The class: spec.deviceClass, or the one that has the volume, or the only one of the volume group.
// `classes` are those of spec.vgName, or the default class, none when lvmd can't tell it: then the
// answer is empty; not looked at when needs_classes() is false.
//
// Unavailable: no usable class is in that group. FailedPrecondition: several are, and none has the
// volume; a removal takes the first then, because lvmd finds the volume in none of them only if it
// is nowhere in the group [R-OBJ-17].
[[nodiscard]] Result<std::string> device_class_of(const LogicalVolume& volume,
                                                  const Classes& classes);

}  // namespace lvmd::reconciler
