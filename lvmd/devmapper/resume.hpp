// Devices that somebody who died left suspended: whoever reads or writes them hangs.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"

namespace lvmd::devmapper {

// Resumes every suspended device of the volumes `volumes` (names) of the group, and every suspended
// device of the group below them: a thin volume's pool, the pool's data and metadata. Those below
// come first. Open or not is no matter.
//
// Each goes on with the table that it had: one that was loaded for it meanwhile is dropped, because
// only LVM knows whether it belongs to what the metadata says now. A device that never had a table
// in use is left alone, as LVM has not begun to use it.
//
// Gives the names of the devices that were resumed. May wait for the disks below. Only for somebody
// who holds LVM's lock of the group: otherwise an LVM command that runs may have suspended them.
// Internal or PermissionDenied as DmControl's; what was resumed before that stays so.
[[nodiscard]] Result<std::vector<std::string>> resume_volumes(
    std::string_view vg_name, std::string_view vg_id,
    const std::set<std::string, std::less<>>& volumes);

}  // namespace lvmd::devmapper
