// Deactivates a volume without LVM.
#pragma once

#include <string_view>

#include "lvmd/base/result.hpp"

namespace lvmd::devmapper {

// Removes the device of a volume that has only this one: a linear or striped volume that LVM does
// not monitor. False if it is open. True if the volume is inactive now, also if it was before. The
// links in /dev exist until udev has handled the event. Errors are those of DmControl. Idempotent.
[[nodiscard]] Result<bool> deactivate(std::string_view vg_id, std::string_view lv_id);

}  // namespace lvmd::devmapper
