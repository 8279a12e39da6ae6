// Decides which change of a thin pool's usage Watch sends [P-WATCH-20].
#pragma once

#include "lvmd.pb.h"
#include "lvmd/model/device_class.hpp"

namespace lvmd::volumes {

// False when the messages differ only in percentages of pools, each by less than 0.1 and without
// crossing a high-water mark of the class.
[[nodiscard]] bool is_significant_change(const model::ClassCatalog& catalog,
                                         const proto::WatchResponse& sent,
                                         const proto::WatchResponse& newer);

}  // namespace lvmd::volumes
