// The device node of an active volume, and the link that udev makes to it.
#pragma once

#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/logical_volume.hpp"
#include "lvmd/volumes/worker/lvm_executor.hpp"

namespace lvmd::volumes::worker {

// "/dev/dm-N", the kernel's own node of the device, which is there before udev has seen it.
// Internal when the node is another device.
[[nodiscard]] Result<std::string> kernel_node(const model::DeviceState& device);

// What the kernel says the device's size is.
[[nodiscard]] Result<model::Bytes> device_size(const model::DeviceState& device);

// Whether `path` ("/dev/<vg>/<lv>") leads to the device now.
[[nodiscard]] bool leads_to(const std::string& path, const model::DeviceState& device);

// Waits until udev has made the link to an active volume. Unavailable when it has not within 30 s:
// the volume stays hidden, and the next one who asks for it waits again.
[[nodiscard]] Status await_link(const model::LogicalVolume& lv, const LvmExecutor& executor);
// Has udev look into the device, now that it is blank. A failure is logged: udev looks at the next
// event.
void announce_to_udev(const model::DeviceState& device);
// Waits until udev has removed the link to a volume that was active, or made it lead to another
// device; a link that stays for 30 s is logged and is no failure: the volume is gone all the same.
void await_no_link(const model::LogicalVolume& lv, const LvmExecutor& executor);

}  // namespace lvmd::volumes::worker
