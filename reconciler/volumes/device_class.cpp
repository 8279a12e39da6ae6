#include "reconciler/volumes/device_class.hpp"

#include <algorithm>

#include "reconciler/model/reason.hpp"

namespace lvmd::reconciler {

bool needs_classes(const LogicalVolume& object) {
  if (!object.spec.device_class.empty()) return false;
  const bool is_to_be_made = !object.removal_wanted && !has_volume(object);
  return is_to_be_made || !object.spec.vg_name.empty();
}

Result<std::string> device_class_of(const LogicalVolume& object, const Classes& classes) {
  if (!needs_classes(object)) return object.spec.device_class;
  const std::string& group = object.spec.vg_name;
  if (group.empty()) return classes.empty() ? std::string{} : classes.front().name;
  if (classes.empty())
    return fail(Code::kUnavailable,
                "spec.vgName \"{}\": this volume group has no usable device class", group)
        .because(own_reason::kNoClassInVg);
  const auto holder = std::ranges::find_if(classes, &ClassOfGroup::has_volume);
  if (holder != classes.end()) return holder->name;
  if (classes.size() == 1 || object.removal_wanted) return classes.front().name;
  return fail(Code::kFailedPrecondition,
              "spec.vgName \"{}\" is the volume group of the device classes {} and {}: write the "
              "intended class into spec.deviceClass, instead of spec.vgName",
              group, classes.front().name, classes.back().name)
      .because(own_reason::kAmbiguousVg);
}

}  // namespace lvmd::reconciler
