// What lvmd and the store reported about an object's volume since planning for it began.
#pragma once

#include <optional>

#include "reconciler/volumes/device_class.hpp"
#include "reconciler/volumes/source.hpp"

namespace lvmd::reconciler {

// Empty at first: the plans request what they need.
struct VolumeObserved {
  // The device classes of spec.vgName, or the default class, after FindClasses.
  std::optional<Classes> classes{};
  // LookUp succeeded.
  bool looked_up = false;
  // The volume's real size, from the last call that returned it. Absent: no volume was seen.
  std::optional<Bytes> size{};
  // The object of spec.source, after FindSource.
  std::optional<Source> source{};
  // RemoveLV returned OK or NOT_FOUND.
  bool removed = false;
  // The volume of an abandoned object has no owner any more [R-DELETE-5].
  bool owner_cleared = false;
  // The request has changed since the status was written [R-FAIL-11].
  bool renewed = false;
};

}  // namespace lvmd::reconciler
