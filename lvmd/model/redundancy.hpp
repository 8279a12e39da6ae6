// Whether volumes of several copies have them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lvmd/model/vg_devices.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::model {

// What the status of a RAID or mirror target says; absent for any other target.
[[nodiscard]] std::optional<Redundancy> redundancy_of(const TargetStatus& target);

// Names of the volumes that a failed leg or a missing physical volume leaves without a part,
// sorted; of hidden volumes only those that are RAID volumes or mirrors themselves (a pool's data).
[[nodiscard]] std::vector<std::string> degraded_volumes(const VolumeGroup& group);

// Names of the RAID volumes and mirrors whose copies aren't alike yet, sorted.
[[nodiscard]] std::vector<std::string> out_of_sync_volumes(const VolumeGroup& group);

}  // namespace lvmd::model
