// How LVM gets at a volume group: its choice alone (lvm.conf, devices file, filters, system ID).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/lvm/lvm_runner.hpp"
#include "lvmd/model/vg_access.hpp"

namespace lvmd::lvm {

// Asks LVM once, with one command. Unavailable, with LVM's reason, when it knows no such group on
// any device that it may use, or doesn't let this host use it; Aborted while another program keeps
// the group locked.
[[nodiscard]] Result<model::VgAccess> access_to(LvmRunner& lvm, std::string_view volume_group);

}  // namespace lvmd::lvm
