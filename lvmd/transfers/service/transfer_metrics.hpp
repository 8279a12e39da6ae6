// The number of transfers, for Prometheus [P-METRIC-6].
#pragma once

#include <prometheus/metric_family.h>

#include <vector>

#include "lvmd/v1/transfer.pb.h"

namespace lvmd::transfers {

// `lvmd_transfers` by operation and phase. Has a sample of 0 where there is none, so that a change
// is visible.
[[nodiscard]] prometheus::MetricFamily transfer_metric(const std::vector<v1::Transfer>& transfers);

}  // namespace lvmd::transfers
