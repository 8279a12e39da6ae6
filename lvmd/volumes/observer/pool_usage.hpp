// What changes without an event: how full a thin pool is and how it does [P-WATCH-20, P-POOL-4],
// and whether the copies of a RAID volume or mirror are whole [P-HEALTH-9].
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/vg_devices.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes::observer {

// The state of one thin pool at this moment; absent while it is inactive.
using PoolLook = std::function<Result<std::optional<model::ThinPoolState>>(std::string_view vg_id,
                                                                           std::string_view lv_id)>;

// True when a pool of the group is fuller, or emptier, than `group` says, or in another condition,
// or can't be asked. One look at each pool, nothing else.
[[nodiscard]] bool usage_differs(const model::VolumeGroup& group, const PoolLook& look);

// How one RAID volume or mirror does at this moment; absent while it is inactive.
using RedundancyLook = std::function<Result<std::optional<model::Redundancy>>(
    std::string_view vg_id, std::string_view lv_id)>;

// The same for the active RAID volumes and mirrors.
[[nodiscard]] bool redundancy_differs(const model::VolumeGroup& group, const RedundancyLook& look);

}  // namespace lvmd::volumes::observer
