// What a worker does about changes that stopped half-way. Rules P-INTENT.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/model/volume_group.hpp"
#include "lvmd/volumes/worker/group_reader.hpp"
#include "lvmd/volumes/worker/intent.hpp"
#include "lvmd/volumes/worker/lvm_executor.hpp"

namespace lvmd::volumes::worker {

// Lets I/O go on that an interrupted change stopped: LVM suspends a volume for the moment of a
// change, its pool too, and whoever dies in that moment leaves them so. The volumes that `intents`
// name, the sources of snapshots, and `pools`: whether they are open or not, tagged or not. The log
// names each device that was resumed.
//
// False when another program holds LVM's lock of the group: what is suspended now may be its doing.
// Runs no LVM command, so it may be the first thing that is done. Idempotent.
[[nodiscard]] bool resume_interrupted(const std::string& volume_group,
                                      const std::vector<Intent>& intents,
                                      const std::set<std::string, std::less<>>& pools);

// Finishes what `intent` meant, or finds that nothing is left to do: the volume was never made, is
// gone already, or the name belongs to another one by now. A new volume is completed, a growth
// reaches the kernel, a removal goes on; undoing removes. On an Error the volume is left as it is,
// the intent stays open, and the same call may be made again. FailedPrecondition for an intent that
// is too old to act upon: a person has to decide.
[[nodiscard]] Status settle(const Intent& intent, GroupReader& group, LvmExecutor& executor);

}  // namespace lvmd::volumes::worker
