// Detects changes that cause no event: usage and condition of a thin pool [P-WATCH-20, P-POOL-4],
// and redundancy of a RAID volume or mirror [P-HEALTH-9].
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/vg_devices.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes::observer {

// Queries the current state of one thin pool; absent while the pool is inactive.
using PoolQuery = std::function<Result<std::optional<model::ThinPoolState>>(
    std::string_view vg_id, std::string_view lv_id)>;

// True if a pool's usage or condition differs from `group`, or a query fails. At most one query per
// pool.
[[nodiscard]] bool usage_differs(const model::VolumeGroup& group, const PoolQuery& query);

// Queries the current redundancy of one RAID volume or mirror; absent while it is inactive.
using RedundancyQuery = std::function<Result<std::optional<model::Redundancy>>(
    std::string_view vg_id, std::string_view lv_id)>;

// The same for the RAID volumes and mirrors that are active in `group`.
[[nodiscard]] bool redundancy_differs(const model::VolumeGroup& group,
                                      const RedundancyQuery& query);

}  // namespace lvmd::volumes::observer
