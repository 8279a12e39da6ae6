// Thin usage, which changes without an event [P-WATCH-20].
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/vg_devices.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::observer {

// The state of one thin pool at this moment; absent while it is inactive.
using PoolLook = std::function<Result<std::optional<model::ThinPoolState>>(std::string_view vg_id,
                                                                           std::string_view lv_id)>;

// True when a pool of the group is fuller, or emptier, than `group` says, or can't be asked. One
// look at each pool, nothing else.
[[nodiscard]] bool usage_differs(const model::VolumeGroup& group, const PoolLook& look);

}  // namespace lvmd::observer
