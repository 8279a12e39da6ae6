// Which thin pools dmeventd watches: LVM alone can ask it.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "lvmd/base/result.hpp"
#include "lvmd/model/vg_access.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::state {

// Less than the time after which a disk that does not answer has to be reported: an observer that
// waits for this command reads no disk.
inline constexpr std::chrono::seconds kMonitoringLimit{4};

// Something listens for dmeventd's clients at `fifo`: dmeventd itself, or systemd, which starts it.
[[nodiscard]] bool dmeventd_listens(const std::string& fifo = "/run/dmeventd-client");

// Names of the group's active thin pools, sorted.
[[nodiscard]] std::vector<std::string> active_pools(const model::VolumeGroup& group);

// Names of the group's active thin pools that dmeventd doesn't watch, sorted. LVM's program, held
// to the group's devices, asks dmeventd. It takes no lock of LVM's: nothing but a device or
// dmeventd delays it. It would start dmeventd where nothing listens, so don't ask then: no pool is
// watched. `lvm` is as VgDiscovery has it. Internal, with LVM's reason, when the command fails;
// DeadlineExceeded when it has not ended within `limit`. Blocks for `limit` and a second at most.
[[nodiscard]] Result<std::vector<std::string>> unmonitored_pools(
    const std::vector<std::string>& lvm, const std::string& volume_group,
    const std::vector<std::string>& devices, std::chrono::milliseconds limit = kMonitoringLimit);

// What `lvs --noheadings -o lv_active,lv_name,seg_monitor` printed for the thin pools. Pure.
[[nodiscard]] std::vector<std::string> parse_monitoring(std::string_view printed);

}  // namespace lvmd::state
