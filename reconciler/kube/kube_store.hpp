// Objects from a Kubernetes API server. Rules: docs/reconciler.md, section 8.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/model/backup_location_store.hpp"
#include "reconciler/model/snapshot_catalog.hpp"
#include "reconciler/model/volume_store.hpp"

namespace lvmd::reconciler::kube {

// PEM text, or the file that contains it; both empty: none.
struct Pem {
  std::string file{};
  std::string data{};

  [[nodiscard]] bool is_empty() const { return file.empty() && data.empty(); }
};

struct KubeOptions {
  // "https://host:port".
  std::string server{};
  // Read for every request, because tokens are rotated [R-KUBE-11].
  std::string token_file{};
  // The token itself, when there is no file.
  std::string token{};
  Pem ca{};
  // Both or none; in addition to a token, or instead of it.
  Pem client_certificate{};
  Pem client_key{};
  std::string node_name{};
  // The name of this program, for the API server's audit log.
  std::string user_agent = "lvmd-reconciler";
};

// Opens no connection yet. An unavailable server is waited for [R-CLI-23].
[[nodiscard]] Result<std::unique_ptr<VolumeStore>> open_kube_store(const KubeOptions& options);

// Classes, PersistentVolumes and backup locations [R-ONLINE-1, R-ONLINE-9]. Opens no connection
// yet. Each answer is the API server's current state, from GETs of single objects. Nothing is
// listed, watched or kept.
[[nodiscard]] Result<std::unique_ptr<SnapshotCatalog>> open_snapshot_catalog(
    const KubeOptions& options);

// The namespace of the backup locations that are watched. The manifests grant the rights for it.
inline constexpr std::string_view kBackupLocationNamespace = "lvmd-snapshots";

// SnapshotBackupStorages [R-STORE-*, R-RIGHT-5]. Opens no connection yet.
[[nodiscard]] Result<std::unique_ptr<BackupLocationStore>> open_backup_location_store(
    const KubeOptions& options);

}  // namespace lvmd::reconciler::kube
