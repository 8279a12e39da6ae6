// Which devices LVM uses for a volume group: its choice alone (lvm.conf, devices file, filters).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/lvm/lvm_session.hpp"

namespace lvmd::lvm {

// The device nodes of the group's PVs that are present, sorted. Unavailable when LVM knows no such
// group on any device it may use; Aborted while another program keeps the group locked.
[[nodiscard]] Result<std::vector<std::string>> devices_of(LvmRunner& lvm,
                                                          std::string_view volume_group);

}  // namespace lvmd::lvm
