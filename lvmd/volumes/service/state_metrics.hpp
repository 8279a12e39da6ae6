// Gauges of the volume groups' current state for Prometheus [P-METRIC-1]: TopoLVM's metrics by
// their names, and lvmd's own. None has a label per volume.
#pragma once

#include <prometheus/metric_family.h>

#include <cstddef>
#include <string>
#include <vector>

#include "lvmd/base/clock.hpp"
#include "lvmd/model/device_class.hpp"
#include "lvmd/volumes/service/read_model.hpp"

namespace lvmd::volumes {

// The server's activity for one volume group.
struct GroupActivity {
  std::string volume_group;
  std::size_t queued_changes = 0;
};

// `node` is the value of TopoLVM's label: this host's name. A class whose group or pool can't be
// used has no TopoLVM metrics, as it has no item in Watch.
[[nodiscard]] std::vector<prometheus::MetricFamily> state_metrics(
    const model::ClassCatalog& catalog, const ReadModel& read_model,
    const std::vector<GroupActivity>& groups, const std::string& node, MonotonicTime now);

}  // namespace lvmd::volumes
