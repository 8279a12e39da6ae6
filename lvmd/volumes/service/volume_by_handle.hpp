// The volume that a CSI call names by its handle. Pure.
#pragma once

#include <memory>
#include <string>

#include "internal/mount.pb.h"
#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/volumes/service/read_model.hpp"

namespace lvmd::volumes {

struct HandledVolume {
  // The state in which the volume was found.
  std::shared_ptr<const model::VolumeGroup> group;
  // In `group`; never null.
  const model::LogicalVolume* volume = nullptr;
  // As find_device() returns it for a class of the volume. The volume may be inactive: see
  // check_active().
  internal::VolumeDevice device;
};

// The volume with this name in the newest states of all groups of the catalog, also if no class has
// it [P-CSI-10, P-CSI-11]. Errors name the field volume_id:
// - InvalidArgument: LVM cannot have such a name.
// - FailedPrecondition: several groups have such a volume, or it is not one that a CSI call may
//   use: a pool, a part of another volume, or made neither by lvmd nor by TopoLVM.
// - Unavailable: the volume was not found, but some group cannot be read at present.
// - NotFound: the states of all groups prove that it does not exist or is not ready.
[[nodiscard]] Result<HandledVolume> volume_by_handle(const model::ClassCatalog& catalog,
                                                     const ReadModel& read_model,
                                                     const std::string& handle);

// Unavailable while a restore has begun on the volume and is not completed: its content is not
// whole, so no pod may get it [P-CSI-12].
[[nodiscard]] Status check_restored(const model::LogicalVolume& volume);

}  // namespace lvmd::volumes
