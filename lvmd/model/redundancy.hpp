// The redundancy of RAID volumes and mirrors. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lvmd/model/vg_devices.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::model {

// The redundancy that the status of a RAID or mirror target shows; absent for any other target.
[[nodiscard]] std::optional<Redundancy> redundancy_of(const TargetStatus& target);

// The sorted names of the volumes with a failed leg or a missing PV. Of internal volumes, only
// those that are RAID volumes or mirrors, such as the data of a pool.
[[nodiscard]] std::vector<std::string> degraded_volumes(const VolumeGroup& group);

// The sorted names of the RAID volumes and mirrors whose copies are not synchronised, without those
// with a missing PV.
[[nodiscard]] std::vector<std::string> out_of_sync_volumes(const VolumeGroup& group);

}  // namespace lvmd::model
