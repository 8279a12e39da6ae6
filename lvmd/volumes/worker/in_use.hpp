// Is somebody using a volume at the moment of its removal? Rule P-REMOVE-3.
#pragma once

#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/logical_volume.hpp"

namespace lvmd::volumes::worker {

// FailedPrecondition, naming the mount point or the holder where the kernel tells them, when the
// volume stays open for a second: udev opens it for moments. No error for an inactive one. The
// kernel is asked anew: open counts raise no event, so what `lv` says of them may be old.
[[nodiscard]] Status check_unused(std::string_view vg_id, const model::LogicalVolume& lv);

}  // namespace lvmd::volumes::worker
