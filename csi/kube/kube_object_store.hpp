// The ObjectStore of a Kubernetes API server. Rules: docs/csi.md, C-KUBE-*, and of
// docs/reconciler.md R-KUBE-1 to R-KUBE-7, R-KUBE-11, R-KUBE-14 and R-KUBE-15.
#pragma once

#include <memory>

#include "csi/controller/driver.hpp"
#include "csi/controller/object_store.hpp"
#include "lvmd/base/result.hpp"
#include "reconciler/kube/kube_store.hpp"

namespace lvmd::controller::kube {

// Begins to list and watch. An unavailable server is waited for.
[[nodiscard]] Result<std::unique_ptr<ObjectStore>> open_object_store(
    const reconciler::kube::KubeOptions& options, const Driver& driver);

}  // namespace lvmd::controller::kube
