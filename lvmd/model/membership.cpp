#include "lvmd/model/membership.hpp"

#include <fmt/format.h>

namespace lvmd::model {

bool is_volume_of(const LogicalVolume& lv, const DeviceClass& device_class) {
  switch (lv.role) {
    case LvRole::kPlain:
    case LvRole::kCowSnapshot:
      return !device_class.is_thin();
    case LvRole::kThin:
      return device_class.is_thin() && lv.pool == device_class.thin_pool->name;
    case LvRole::kThinPool:
    case LvRole::kInternal:
      return false;
  }
  return false;
}

std::string kind_of(const LogicalVolume& lv) {
  switch (lv.role) {
    case LvRole::kPlain:
      return fmt::format("a {} volume", lv.segment_type);
    case LvRole::kCowSnapshot:
      return fmt::format("a thick snapshot of {}", lv.origin);
    case LvRole::kThin:
      return fmt::format("a thin volume of pool {}", lv.pool);
    case LvRole::kThinPool:
      return "a thin pool";
    case LvRole::kInternal:
      return "an internal volume of LVM";
  }
  return "a volume";
}

}  // namespace lvmd::model
