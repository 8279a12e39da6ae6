// Parses the status line of the thin-pool target. Pure.
#pragma once

#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/model/vg_devices.hpp"

namespace lvmd::devmapper {

// The state without the member `device`. Internal if the line is not the status of a thin pool.
// Source: the kernel's Documentation/admin-guide/device-mapper/thin-provisioning.rst.
[[nodiscard]] Result<model::ThinPoolState> parse_thin_pool_status(const std::string& line);

}  // namespace lvmd::devmapper
