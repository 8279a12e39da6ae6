// Checks that a removal affects only the named volume and its hidden parts. Rules P-REMOVE-4 and
// P-REMOVE-21.
#pragma once

#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes::worker {

// FailedPrecondition, with their names, if other volumes of `group` need `lv`: its thick snapshots,
// or thin volumes of which it is the external origin. Pure.
[[nodiscard]] Status check_not_needed(const model::VolumeGroup& group,
                                      const model::LogicalVolume& lv);

// The volumes of `before` that are not in `after`, compared by ID, although the removal of
// `removed` does not explain it. Sorted by name. A hidden part may disappear with its volume, or if
// its volume is unknown (a pool's spare metadata). Empty if the groups have different IDs. Pure.
[[nodiscard]] std::vector<std::string> lost_volumes(const model::VolumeGroup& before,
                                                    const model::VolumeGroup& after,
                                                    const model::LogicalVolume& removed);

// Internal, which is also logged as an error, if lost_volumes() is not empty.
[[nodiscard]] Status check_nothing_lost(const model::VolumeGroup& before,
                                        const model::VolumeGroup& after,
                                        const model::LogicalVolume& removed);

}  // namespace lvmd::volumes::worker
