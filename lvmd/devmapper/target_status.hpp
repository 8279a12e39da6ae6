// Parses the status lines of device-mapper targets. Pure.
#pragma once

#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/vg_devices.hpp"

namespace lvmd::devmapper {

// Parses `line`, the status of a target of type `target`. `before` is the result of the device's
// previous targets: the segments of a mirror are added up, and a target without relevant status
// returns `before`. Internal if the line does not belong to such a target. Source: the kernel's
// Documentation/admin-guide/device-mapper (dm-raid, cache, writecache, snapshot); uses
// libdevmapper's parsers if there is one.
[[nodiscard]] Result<model::TargetStatus> parse_target_status(
    std::string_view target, const std::string& line, const model::TargetStatus& before = {});

// The state in the status line of a thin-pool target, without the member `device`. Internal if the
// line is not the status of a thin pool. Source: the kernel's
// Documentation/admin-guide/device-mapper/thin-provisioning.rst.
[[nodiscard]] Result<model::ThinPoolState> parse_thin_pool_status(const std::string& line);

}  // namespace lvmd::devmapper
