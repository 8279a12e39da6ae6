// How the volume groups are at this moment, for Prometheus [P-METRIC-1]: TopoLVM's metrics by their
// names, and ours. Nothing per volume.
#pragma once

#include <prometheus/metric_family.h>

#include <cstddef>
#include <string>
#include <vector>

#include "lvmd/base/clock.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/volumes/service/read_model.hpp"

namespace lvmd::volumes {

// One volume group as the server sees it, beside its state.
struct GroupActivity {
  std::string volume_group;
  std::size_t queued_changes = 0;
};

// `node` is TopoLVM's label: this host's name. A class whose group or pool can't be used has none
// of TopoLVM's metrics, as it has no item in Watch.
[[nodiscard]] std::vector<prometheus::MetricFamily> state_metrics(
    const model::ClassCatalog& catalog, const ReadModel& read_model,
    const std::vector<GroupActivity>& groups, const std::string& node, MonotonicTime now);

}  // namespace lvmd::volumes
