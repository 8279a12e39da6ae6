#include "reconciler/volumes/provisioned.hpp"

#include <string_view>
#include <utility>

#include "reconciler/model/reason.hpp"

namespace lvmd::reconciler {

VolumeStep settle(const LogicalVolume& desired, VolumeStatus status) {
  if (status == desired.status) return Nothing{};
  return WriteStatus{std::move(status)};
}

VolumeStatus provisioned_status(const LogicalVolume& desired, Bytes size, Bytes wanted) {
  VolumeStatus status{.volume_id = desired.uid,
                      .current_size = size,
                      .observed_generation = desired.generation,
                      .conditions = desired.status.conditions,
                      .snapshot = desired.status.snapshot,
                      .csi = desired.status.csi};
  const auto set = [&status](std::string_view type, std::string_view value,
                             std::string_view reason) {
    set_condition(status.conditions, make_condition(type, value, reason));
  };
  set(kReadyType, kTrue, own_reason::kProvisioned);
  if (size >= wanted)
    set(kResizedType, kTrue, own_reason::kSizeReached);
  else
    set(kResizedType, kUnknown, own_reason::kPending);
  return status;
}

std::optional<VolumeStep> settle_class(const LogicalVolume& desired,
                                       const VolumeObserved& observed) {
  if (!needs_classes(desired)) return std::nullopt;
  if (!observed.classes) return FindClasses{};
  auto device_class = device_class_of(desired, *observed.classes);
  if (!device_class) return Unmet{std::move(device_class.error())};
  return std::nullopt;
}

}  // namespace lvmd::reconciler
