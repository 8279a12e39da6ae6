#include "reconciler/volumes/device_class.hpp"

#include <algorithm>

#include "reconciler/model/reason.hpp"

namespace lvmd::reconciler {

bool needs_classes(const LogicalVolume& volume) {
  if (!volume.spec.device_class.empty()) return false;
  const bool is_to_be_made = !volume.removal_wanted && !has_volume(volume);
  return is_to_be_made || !volume.spec.vg_name.empty();
}

Result<std::string> device_class_of(const LogicalVolume& volume, const Classes& classes) {
  if (!needs_classes(volume)) return volume.spec.device_class;
  const std::string& group = volume.spec.vg_name;
  if (group.empty()) return classes.empty() ? std::string{} : classes.front().name;
  if (classes.empty())
    return fail(Code::kUnavailable,
                "spec.vgName \"{}\": no usable device class of lvmd is in that volume group", group)
        .because(own_reason::kNoClassInVg);
  const auto holder = std::ranges::find_if(classes, &ClassOfGroup::has_volume);
  if (holder != classes.end()) return holder->name;
  if (classes.size() == 1 || volume.removal_wanted) return classes.front().name;
  return fail(Code::kFailedPrecondition,
              "spec.vgName \"{}\" is the volume group of the device classes {} and {}: write the "
              "one "
              "that is meant into spec.deviceClass, in the place of spec.vgName",
              group, classes.front().name, classes.back().name)
      .because(own_reason::kAmbiguousVg);
}

}  // namespace lvmd::reconciler
