#include "lvmd/volumes/worker/early_deactivation.hpp"

#include <fmt/format.h>

#include <utility>

#include "lvmd/base/log.hpp"
#include "lvmd/lvm/vg_lock.hpp"
#include "lvmd/volumes/worker/device_checks.hpp"
#include "lvmd/volumes/worker/udev_sync.hpp"

namespace lvmd::volumes::worker {

std::optional<devmapper::Deactivation> deactivate_early(const model::VolumeGroup& group,
                                                        const model::LogicalVolume& lv) {
  if (lv.role != model::LvRole::kPlain || needs_udev_sync(group, lv)) return std::nullopt;
  if (!lv.is_active() || lv.device->suspended) return std::nullopt;
  // LVM cannot remove the volume now, and may not be able to activate it again.
  if (const auto holder = lvm::lock_holder(group.name); !holder || *holder) return std::nullopt;
  auto deactivated = devmapper::deactivate(group.id, lv.id);
  // udev may have opened the device since the caller's check. LVM reports a volume in use itself.
  if (deactivated && !*deactivated && check_unused(group.id, lv))
    deactivated = devmapper::deactivate(group.id, lv.id);
  if (deactivated) return std::move(*deactivated);
  log::warning(fmt::format("cannot deactivate {}/{} before its removal, so LVM does it: {}",
                           group.name, lv.name, deactivated.error().message),
               {{log::kVg, group.name}, {log::kLv, lv.name}});
  return std::nullopt;
}

}  // namespace lvmd::volumes::worker
