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

// PEM text, or the file with it; neither: none.
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
  // The token itself, where there is no file with it.
  std::string token{};
  Pem ca{};
  // Both or none; beside a token, or in its place.
  Pem client_certificate{};
  Pem client_key{};
  std::string node_name{};
};

// Contacts nobody yet: a server that is away is waited for [R-CLI-23].
[[nodiscard]] Result<std::unique_ptr<VolumeStore>> open_kube_store(const KubeOptions& options);

// Contacts nobody yet. Answers with what the API server has at that moment, by GETs of single
// objects: nothing is listed, watched or kept.
[[nodiscard]] Result<std::unique_ptr<SnapshotCatalog>> open_snapshot_catalog(
    const KubeOptions& options);

// Where storages are followed, and the manifests give the right to.
inline constexpr std::string_view kBackupLocationNamespace = "lvmd-snapshots";

// Contacts nobody yet.
[[nodiscard]] Result<std::unique_ptr<BackupLocationStore>> open_backup_location_store(
    const KubeOptions& options);

}  // namespace lvmd::reconciler::kube
