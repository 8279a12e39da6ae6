// Warnings about a volume group that serves [P-HEALTH-9, P-STATE-9].
#pragma once

#include <string>
#include <vector>

#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes {

struct GroupWarning {
  // The subject. It stays the same while numbers in the text change.
  std::string subject;
  // One sentence that says what to do.
  std::string text;
};

// Warns of volumes that are degraded or out of sync, pools of the group's classes that are out of
// data space or not monitored by dmeventd, a nearly full metadata area, and damaged copies of the
// metadata. Pure.
[[nodiscard]] std::vector<GroupWarning> find_warnings(const model::VolumeGroup& group,
                                                      const model::ClassCatalog& catalog);

// The names, without duplicates, of the thin pools of the group's classes that dmeventd does not
// monitor.
[[nodiscard]] std::vector<std::string> unmonitored_pools(const model::VolumeGroup& group,
                                                         const model::ClassCatalog& catalog);

}  // namespace lvmd::volumes
