// The device node of an active volume, and the links to it.
#pragma once

#include <array>
#include <filesystem>
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

// The links of a volume in /dev: "/dev/<vg>/<lv>", and the one in /dev/mapper.
using VolumeLinks = std::array<std::filesystem::path, 2>;
[[nodiscard]] VolumeLinks links_of(std::string_view volume_group, std::string_view volume,
                                   const std::filesystem::path& dev = "/dev");

// Makes the links to an active volume, as udev does later, and makes links to another device lead
// to this one. Internal if a link cannot be made. Idempotent.
[[nodiscard]] Status make_links(const VolumeLinks& links, const model::DeviceState& device);

// Removes links that lead to this removed device, or to none.
void remove_links(const VolumeLinks& links, const model::DeviceState& removed);

// Removes the links to a removed volume. If udev is handling an earlier event of the volume, it may
// make them again; then they lead to nothing, and udev removes them when it handles the removal. A
// new volume of this name waits for that in await_removals().
void remove_links(const model::LogicalVolume& removed, LvmExecutor& executor);

// Before a change of `volume`. Waits while udev has more than 16 events of device-mapper devices to
// handle (P-RUN-28), but at most 15 s, and at most 3 s while udev handles none. Without a limit,
// changes are faster than udev and systemd for as long as they follow one another.
void limit_backlog(std::string_view volume, LvmExecutor& executor);

// Waits at most 15 s until udev has handled the removals of earlier devices, for which it could
// remove the links to a new volume: of a device with the same number, and of a volume with the same
// name.
void await_removals(const model::LogicalVolume& lv, LvmExecutor& executor);

}  // namespace lvmd::volumes::worker
