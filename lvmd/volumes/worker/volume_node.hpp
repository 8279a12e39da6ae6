// The device node of an active volume, and udev's link to it.
#pragma once

#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "lvmd/model/logical_volume.hpp"
#include "lvmd/volumes/worker/lvm_executor.hpp"

namespace lvmd::volumes::worker {

// "/dev/dm-N", the device node, which exists before udev has handled the device's event. Internal
// if the node belongs to another device.
[[nodiscard]] Result<std::string> kernel_node(const model::DeviceState& device);

// The size of the device in the kernel. Internal if sysfs cannot be read.
[[nodiscard]] Result<model::Bytes> device_size(const model::DeviceState& device);

// True if `path` ("/dev/<vg>/<lv>") is, or links to, the node of the device.
[[nodiscard]] bool leads_to(const std::string& path, const model::DeviceState& device);

// Waits until udev has made the link to an active volume. Unavailable after 30 s (P-RUN-23).
[[nodiscard]] Status await_link(const model::LogicalVolume& lv, const LvmExecutor& executor);
// Waits until udev has removed the link to a removed volume, or has made it link to another device.
// After 30 s logs a warning and returns, because the volume is removed anyway.
void await_no_link(const model::LogicalVolume& lv, const LvmExecutor& executor);

}  // namespace lvmd::volumes::worker
