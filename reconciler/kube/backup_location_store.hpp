// SnapshotBackupStorages from a Kubernetes API server. Rules: R-STORE-*, R-RIGHT-5.
#pragma once

#include <memory>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/kube/kube_store.hpp"
#include "reconciler/model/backup_location_store.hpp"

namespace lvmd::reconciler::kube {

// Where storages are followed, and the manifests give the right to.
inline constexpr std::string_view kBackupLocationNamespace = "lvmd-snapshots";

// Contacts nobody yet.
[[nodiscard]] Result<std::unique_ptr<BackupLocationStore>> open_backup_location_store(
    const KubeOptions& options);

}  // namespace lvmd::reconciler::kube
