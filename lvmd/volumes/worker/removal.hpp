// What a removal may take with it: the volume that is named and its hidden parts. Rules P-REMOVE-4
// and P-REMOVE-21. Pure.
#pragma once

#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes::worker {

// FailedPrecondition, naming them, when other volumes of `group` can't be without `lv`: thick
// snapshots of it, or thin volumes that have it as their external origin.
[[nodiscard]] Status check_not_needed(const model::VolumeGroup& group,
                                      const model::LogicalVolume& lv);

// Which volumes of `before` are not in `after` any more, by their ids, though the removal of
// `removed` explains it not. Sorted by name. A hidden part goes with the volume that it is a part
// of; one whose volume is not known (a pool's spare metadata) may go. A group of another id has
// lost nothing: it is another group.
[[nodiscard]] std::vector<std::string> lost_volumes(const model::VolumeGroup& before,
                                                    const model::VolumeGroup& after,
                                                    const model::LogicalVolume& removed);

// Internal, and an error in the log, when lost_volumes() has any.
[[nodiscard]] Status check_nothing_lost(const model::VolumeGroup& before,
                                        const model::VolumeGroup& after,
                                        const model::LogicalVolume& removed);

}  // namespace lvmd::volumes::worker
