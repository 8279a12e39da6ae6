// The health of the node's volume groups as CSI returns it [P-CSI-29].
#pragma once

#include "csi.pb.h"
#include "lvmd/model/device_class.hpp"
#include "lvmd/server/health_service.hpp"
#include "lvmd/volumes/service/read_model.hpp"

namespace lvmd::csi {

// One entry for each kind of problem, whose message lists the groups that have it: unreachable are
// groups that cannot be used at all; degraded are groups that do not serve and groups with
// warnings, both with the text of `health`.
[[nodiscard]] ::csi::v1::NodeGetStorageHealthResponse storage_health(
    const model::ClassCatalog& catalog, const volumes::ReadModel& read_model,
    const server::HealthSource& health);

}  // namespace lvmd::csi
