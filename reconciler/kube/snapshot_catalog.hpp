// Classes, PersistentVolumes and storages from the API server. Rules: R-ONLINE-1, R-ONLINE-9.
#pragma once

#include <memory>

#include "lvmd/base/result.hpp"
#include "reconciler/kube/kube_store.hpp"
#include "reconciler/model/snapshot_catalog.hpp"

namespace lvmd::reconciler::kube {

// Contacts nobody yet. Answers with what the API server has at that moment, by GETs of single
// objects: nothing is listed, watched or kept.
[[nodiscard]] Result<std::unique_ptr<SnapshotCatalog>> open_snapshot_catalog(
    const KubeOptions& options);

}  // namespace lvmd::reconciler::kube
