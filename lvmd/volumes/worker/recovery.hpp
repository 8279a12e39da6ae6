// Recovers interrupted changes. Rules P-INTENT.
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

// Resumes the devices that an interrupted change left suspended. LVM suspends a volume, and its
// pool, during a change; a process that dies then leaves them suspended. Resumes the volumes of
// `intents`, the sources of snapshots, and `pools`, open or not, tagged or not (P-INTENT-4). Logs
// each resumed device, and errors.
//
// False if another program holds LVM's lock of the group: that program may have suspended the
// devices. Runs no LVM command, so it can run before all LVM commands. Idempotent.
[[nodiscard]] bool resume_interrupted(const std::string& volume_group,
                                      const std::vector<Intent>& intents,
                                      const std::set<std::string, std::less<>>& pools);

// Finishes the change of `intent`: completes a new volume, loads a new size into the kernel,
// continues a removal, or removes the volume of an undo. Success without a change if the volume
// does not exist or another volume has its name. On an Error the intent stays open; the call may be
// repeated. FailedPrecondition if the intent is not recent (Intent::is_recent()).
[[nodiscard]] Status settle(const Intent& intent, GroupReader& group, LvmExecutor& executor);

}  // namespace lvmd::volumes::worker
