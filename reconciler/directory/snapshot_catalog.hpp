// What the kube store finds in classes, PersistentVolumes and storages, the manifests say
// themselves [R-ONLINE-12].
#pragma once

#include <memory>

#include "reconciler/model/snapshot_catalog.hpp"

namespace lvmd::reconciler::directory {

// spec.backup is the class; every PersistentVolume is there, and of no claim; the files that
// LocationName has are read for each open_storage().
[[nodiscard]] std::unique_ptr<SnapshotCatalog> make_snapshot_catalog();

}  // namespace lvmd::reconciler::directory
