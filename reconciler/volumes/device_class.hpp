// The device class of an object's volume.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "reconciler/model/logical_volume.hpp"

namespace lvmd::reconciler {

// A candidate for the object's device class: a class of the volume group that an older object
// names, or the default class.
struct ClassOfGroup {
  std::string name;
  // The class has a volume of the object's name.
  bool has_volume = false;

  friend bool operator==(const ClassOfGroup&, const ClassOfGroup&) = default;
};

using Classes = std::vector<ClassOfGroup>;

// The classes of spec.vgName [R-OBJ-17], or the default class for a volume that is not created yet
// [R-CREATE-8], must be read before any other call for the volume.
[[nodiscard]] bool needs_classes(const LogicalVolume& object);

// The class: spec.deviceClass, or the class that has the volume, or the only class of the volume
// group. `classes` are those of spec.vgName, or the default class; they are not used when
// needs_classes() is false. Without a class for the default, the result is empty.
//
// Unavailable: the volume group has no usable class. FailedPrecondition: it has several, and none
// of them has the volume. A removal uses the first class then: lvmd finds the volume in none of
// them only if it does not exist in the group [R-OBJ-17].
[[nodiscard]] Result<std::string> device_class_of(const LogicalVolume& object,
                                                  const Classes& classes);

}  // namespace lvmd::reconciler
