// Finds the thin pools that dmeventd does not monitor. Only LVM's program can query dmeventd.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/model/vg_access.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::state {

// Less than the time after which a hanging disk must be reported: while the observer waits for this
// command, it reads no disk.
inline constexpr std::chrono::seconds kMonitoringLimit{4};

// True if a process reads the FIFO for dmeventd's clients: dmeventd, or systemd, which starts it.
[[nodiscard]] bool dmeventd_listens(const std::string& fifo = "/run/dmeventd-client");

// The sorted names of the group's active thin pools.
[[nodiscard]] std::vector<std::string> active_pools(const model::VolumeGroup& group);

// The sorted names of the group's active thin pools that dmeventd does not monitor. LVM's program
// queries dmeventd, restricted to the group's devices and without LVM's lock, so only a device or
// dmeventd can delay it. Call it only if dmeventd_listens(): otherwise the program would start
// dmeventd. `lvm` is as in VgDiscovery. Internal, with LVM's message, if the command fails.
// DeadlineExceeded if it does not end within `limit`. Blocks for at most `limit` and one second.
[[nodiscard]] Result<std::vector<std::string>> unmonitored_pools(
    const std::vector<std::string>& lvm, const std::string& volume_group,
    const std::vector<std::string>& devices, std::chrono::milliseconds limit = kMonitoringLimit);

// Parses the output of `lvs --noheadings -o lv_active,lv_name,seg_monitor` for thin pools: the
// sorted names of the active pools that are not monitored. Pure.
[[nodiscard]] std::vector<std::string> parse_monitoring(std::string_view printed);

}  // namespace lvmd::state
