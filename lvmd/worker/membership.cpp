#include "lvmd/worker/membership.hpp"

#include <fmt/format.h>

namespace lvmd::worker {

Result<const model::DeviceClass*> find_class(const model::ClassCatalog& catalog,
                                             const model::VolumeGroup& group,
                                             std::string_view name) {
  const model::DeviceClass* const found = name.empty() ? nullptr : catalog.find_device_class(name);
  if (found == nullptr || found->volume_group != group.name)
    return fail(Code::kNotFound, "device-class not found: {}", name);
  return found;
}

bool is_volume_of(const model::LogicalVolume& lv, const model::DeviceClass& device_class) {
  switch (lv.role) {
    case model::LvRole::kPlain:
    case model::LvRole::kCowSnapshot:
      return !device_class.is_thin();
    case model::LvRole::kThin:
      return device_class.is_thin() && lv.pool == device_class.thin_pool->name;
    case model::LvRole::kThinPool:
    case model::LvRole::kInternal:
      return false;
  }
  return false;
}

std::string kind_of(const model::LogicalVolume& lv) {
  switch (lv.role) {
    case model::LvRole::kPlain:
      return fmt::format("a {} volume", lv.segment_type);
    case model::LvRole::kCowSnapshot:
      return fmt::format("a thick snapshot of {}", lv.origin);
    case model::LvRole::kThin:
      return fmt::format("a thin volume of pool {}", lv.pool);
    case model::LvRole::kThinPool:
      return "a thin pool";
    case model::LvRole::kInternal:
      return "an internal volume of LVM";
  }
  return "a volume";
}

}  // namespace lvmd::worker
