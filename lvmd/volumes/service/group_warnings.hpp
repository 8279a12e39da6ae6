// What an operator should know of a volume group that serves all the same [P-HEALTH-9, P-STATE-9].
#pragma once

#include <string>
#include <vector>

#include "lvmd/model/device_class.hpp"
#include "lvmd/model/volume_group.hpp"

namespace lvmd::volumes {

struct GroupWarning {
  // What it is about. It stays the same while the text's numbers change.
  std::string subject;
  // One sentence, with what to do.
  std::string text;
};

// Volumes that are degraded or not in sync, pools of the group's classes that are out of data space
// or that dmeventd doesn't watch, a metadata area that is nearly full, damaged copies of the
// metadata. Pure.
[[nodiscard]] std::vector<GroupWarning> find_warnings(const model::VolumeGroup& group,
                                              const model::ClassCatalog& catalog);

// Names of the thin pools of the group's classes that dmeventd doesn't watch, each once.
[[nodiscard]] std::vector<std::string> unmonitored_pools(const model::VolumeGroup& group,
                                                         const model::ClassCatalog& catalog);

}  // namespace lvmd::volumes
