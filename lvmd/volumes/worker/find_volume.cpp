#include "lvmd/volumes/worker/find_volume.hpp"

#include "lvmd/base/reason.hpp"
#include "lvmd/model/available.hpp"
#include "lvmd/model/membership.hpp"
#include "lvmd/model/names.hpp"

namespace lvmd::volumes::worker {

Result<const model::DeviceClass*> find_class(const model::ClassCatalog& catalog,
                                             const model::VolumeGroup& group,
                                             std::string_view name) {
  const model::DeviceClass* const found = name.empty() ? nullptr : catalog.find_device_class(name);
  if (found == nullptr || found->volume_group != group.name)
    return fail(Code::kUnavailable,
                "device class {} does not belong to volume group {} after a reload of lvmd.yaml: "
                "try again",
                name, group.name)
        .because(reason::kReloaded)
        .with(key::kDeviceClass, name);
  return found;
}

Result<const model::LogicalVolume*> find_volume(const model::VolumeGroup& group,
                                                const model::ClassCatalog& catalog,
                                                const std::string& class_name,
                                                const std::string& name) {
  const auto found = find_class(catalog, group, class_name);
  if (!found) return std::unexpected(found.error());
  const model::DeviceClass& device_class = **found;
  if (auto valid = model::check_lv_name("name", name); !valid)
    return std::unexpected(valid.error());
  // Without its pool, e.g. a renamed one, a volume must not count as removed (P-STATE-2). If the
  // pool accepts no changes, LVM would remove the volume only from its own metadata (P-POOL-1).
  if (auto usable = model::check_pool_usable(group, device_class); !usable)
    return std::unexpected(usable.error());
  const model::LogicalVolume* const lv = group.find(name);
  if (lv == nullptr)
    return fail(Code::kNotFound, "logical volume {} is not found in volume group {}", name,
                group.name)
        .because(reason::kVolumeNotFound);
  if (!model::is_volume_of(*lv, device_class))
    return fail(Code::kFailedPrecondition, "{} is {}, not a volume of device class {}", name,
                model::kind_of(*lv), device_class.name)
        .because(reason::kNotOfClass)
        .with(key::kDeviceClass, device_class.name)
        .with(key::kExisting, model::kind_of(*lv));
  return lv;
}

}  // namespace lvmd::volumes::worker
