// The status lines of the kernel's targets that tell how a volume does.
#pragma once

#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/vg_devices.hpp"

namespace lvmd::devmapper {

// What `line`, the status of a target of type `target`, says; std::monostate for a target whose
// status nobody asks for. Internal when the line isn't one of that target. Adds up the segments of
// a mirror: `before` is what the segments before this one said. Source: the kernel's
// Documentation/admin-guide/device-mapper (dm-raid, cache, writecache, snapshot); libdevmapper's
// parsers where it has one.
[[nodiscard]] Result<model::TargetStatus> parse_target_status(
    std::string_view target, const std::string& line, const model::TargetStatus& before = {});

}  // namespace lvmd::devmapper
