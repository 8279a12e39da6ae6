#include "lvmd/volumes/service/volume_device.hpp"

#include "lvmd/base/reason.hpp"
#include "lvmd/model/available.hpp"
#include "lvmd/model/mapped_name.hpp"
#include "lvmd/model/membership.hpp"
#include "lvmd/model/ownership.hpp"

namespace lvmd::volumes {
namespace {

// Whether the file system may have the same UUID as that of another volume [P-MOUNT-6]. The
// ownership tag also identifies a snapshot whose source was removed, because other snapshots of it
// may exist. A cached volume is not a snapshot of its origin.
bool is_snapshot(const model::LogicalVolume& lv) {
  if (lv.role == model::LvRole::kCowSnapshot) return true;
  if (lv.role != model::LvRole::kThin) return false;
  const auto ownership = model::ownership_of(lv.tags);
  return !lv.origin.empty() || (ownership && !ownership->source.empty());
}

}  // namespace

internal::VolumeDevice device_of(const model::VolumeGroup& group, const model::LogicalVolume& lv) {
  internal::VolumeDevice device;
  device.set_volume_group(group.name);
  device.set_name(lv.name);
  device.set_writable(lv.writable);
  device.set_snapshot(is_snapshot(lv));
  device.set_uuid(model::mapped_uuid(group.id, lv.id));
  if (lv.device) {
    device.set_major(lv.device->major);
    device.set_minor(lv.device->minor);
  }
  return device;
}

Result<internal::VolumeDevice> find_device(const ReadModel& read_model,
                                           const model::DeviceClass& device_class,
                                           const std::string& volume) {
  const auto view = read_model.view(device_class.volume_group);
  if (!view) return std::unexpected(view.error());
  if (auto exists = model::check_pool_exists(*view->group, device_class); !exists)
    return std::unexpected(exists.error());
  const model::LogicalVolume* const lv = view->group->find(volume);
  if (lv == nullptr || !model::is_volume_of(*lv, device_class) || view->hidden->contains(volume))
    return fail(Code::kNotFound, "device class {} has no volume {}", device_class.name, volume)
        .because(reason::kVolumeNotFound);
  return device_of(*view->group, *lv);
}

Status check_active(const internal::VolumeDevice& device) {
  if (device.major() != 0) return {};
  return fail(Code::kFailedPrecondition,
              "volume {} is not active: activate it with lvchange -ay -K {}/{}", device.name(),
              device.volume_group(), device.name())
      .because(reason::kVolumeInactive);
}

}  // namespace lvmd::volumes
