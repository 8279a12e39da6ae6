// The status line of the kernel's thin-pool target.
#pragma once

#include <string>

#include "lvmd/base/result.hpp"
#include "lvmd/model/vg_devices.hpp"

namespace lvmd::devmapper {

// Everything of ThinPoolState but the device. Internal when the line isn't one of a thin pool.
// Source: the kernel's Documentation/admin-guide/device-mapper/thin-provisioning.rst.
[[nodiscard]] Result<model::ThinPoolState> parse_thin_pool_status(const std::string& line);

}  // namespace lvmd::devmapper
