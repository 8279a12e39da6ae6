// Objects from a Kubernetes API server. Rules: docs/reconciler.md, section 8.
#pragma once

#include <memory>
#include <string>

#include "lvmd/base/result.hpp"
#include "reconciler/store/volume_store.hpp"

namespace lvmd::reconciler::kube {

struct KubeOptions {
  // "https://host:port".
  std::string server;
  // Read for every request, because tokens are rotated [R-KUBE-11].
  std::string token_file;
  std::string ca_file;
  std::string node_name;
};

// Contacts nobody yet: a server that is away is waited for [R-CLI-23].
[[nodiscard]] Result<std::unique_ptr<VolumeStore>> open_kube_store(const KubeOptions& options);

}  // namespace lvmd::reconciler::kube
