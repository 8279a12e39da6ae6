// Finds the class and the volume of a request in a state of the group.
#pragma once

#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes::worker {

// Unavailable if the class does not belong to the group: the server sends only configured classes,
// so during a reload its configuration differs from this process's. Never NotFound, which a client
// that removes a volume would treat as success.
[[nodiscard]] Result<const model::DeviceClass*> find_class(const model::ClassCatalog& catalog,
                                                           const model::VolumeGroup& group,
                                                           std::string_view name);

// An existing volume of the class. NotFound if the group has no volume of that name,
// FailedPrecondition if it does not belong to the class, Unavailable if the pool of the class does
// not exist or accepts no changes, or as find_class().
[[nodiscard]] Result<const model::LogicalVolume*> find_volume(const model::VolumeGroup& group,
                                                              const model::ClassCatalog& catalog,
                                                              const std::string& class_name,
                                                              const std::string& name);

}  // namespace lvmd::volumes::worker
