// Resumes devices that a killed process left suspended. All I/O on a suspended device hangs.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::devmapper {

// Resumes all suspended devices of the volumes with the names `volumes`, and all suspended devices
// of the group below them: a thin volume's pool, and the pool's data and metadata. The devices
// below are resumed first. Open devices are included.
//
// A device continues with its table in use. A table that was loaded later is removed, because only
// LVM can decide whether it belongs to the present metadata. A device without a table in use is not
// changed: LVM has not begun to use it.
//
// Returns the names of the resumed devices. Can wait for the disks below. The caller must hold
// LVM's lock of the group: otherwise a running LVM command may have suspended the devices. Errors
// are those of DmControl; devices that were resumed before the error stay resumed. Idempotent.
[[nodiscard]] Result<std::vector<std::string>> resume_volumes(
    std::string_view vg_name, std::string_view vg_id,
    const std::set<std::string, std::less<>>& volumes);

}  // namespace lvmd::devmapper
