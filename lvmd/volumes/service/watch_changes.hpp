// Which change of a thin pool's usage is worth a message [P-WATCH-20].
#pragma once

#include "lvmd.pb.h"
#include "lvmd/model/device_class.hpp"

namespace lvmd::volumes {

// False when the two messages differ in nothing but percentages of pools, each by less than 0.1 and
// on the same side of the class's marks.
[[nodiscard]] bool is_significant_change(const model::ClassCatalog& catalog, const proto::WatchResponse& sent,
                           const proto::WatchResponse& newer);

}  // namespace lvmd::volumes
