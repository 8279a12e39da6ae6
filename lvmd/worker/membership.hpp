// Which volumes belong to which class, and what to call one that doesn't.
#pragma once

#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::worker {

// The class of that name, which must be one of `group`. NotFound otherwise.
[[nodiscard]] Result<const model::DeviceClass*> find_class(const model::ClassCatalog& catalog,
                                                           const model::VolumeGroup& group,
                                                           std::string_view name);

// Rules P-CLASS-3 to P-CLASS-5.
[[nodiscard]] bool is_volume_of(const model::LogicalVolume& lv,
                                const model::DeviceClass& device_class);

// "a thin pool", "a thin volume of pool p0", "an internal volume", ...
[[nodiscard]] std::string kind_of(const model::LogicalVolume& lv);

}  // namespace lvmd::worker
