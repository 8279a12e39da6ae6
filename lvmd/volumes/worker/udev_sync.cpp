#include "lvmd/volumes/worker/udev_sync.hpp"

#include <algorithm>
#include <string_view>

namespace lvmd::volumes::worker {
namespace {

bool is_in_use(const model::VolumeGroup& group, std::string_view pool) {
  return std::ranges::any_of(group.logical_volumes, [pool](const model::LogicalVolume& lv) {
    return lv.role == model::LvRole::kThin && lv.pool == pool && lv.is_active();
  });
}

}  // namespace

bool needs_udev_sync(const model::VolumeGroup& group, const model::DeviceClass& device_class,
                     const model::OptionClass* option_class) {
  if (option_class != nullptr || !device_class.lvcreate_options.empty()) return true;
  return device_class.thin_pool && !is_in_use(group, device_class.thin_pool->name);
}

bool needs_udev_sync(const model::VolumeGroup& group, const model::LogicalVolume& lv) {
  if (!lv.pool.empty()) return !is_in_use(group, lv.pool);
  return lv.segment_type != "linear" && lv.segment_type != "striped";
}

}  // namespace lvmd::volumes::worker
