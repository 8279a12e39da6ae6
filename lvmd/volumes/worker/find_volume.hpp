// The class and the volume that a request names, in the state that it is planned against.
#pragma once

#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes::worker {

// Unavailable when the class is none of the group's: the server names configured classes only, so
// its configuration is another one than ours, for a moment of a reload. Never NotFound, which a
// client that removes would take for success.
[[nodiscard]] Result<const model::DeviceClass*> find_class(const model::ClassCatalog& catalog,
                                                           const model::VolumeGroup& group,
                                                           std::string_view name);

// An existing volume of the class. NotFound when the group has none of that name,
// FailedPrecondition when it is not of the class, Unavailable when the class's pool is not there or
// takes no change.
[[nodiscard]] Result<const model::LogicalVolume*> find_volume(const model::VolumeGroup& group,
                                                              const model::ClassCatalog& catalog,
                                                              const std::string& class_name,
                                                              const std::string& name);

}  // namespace lvmd::volumes::worker
