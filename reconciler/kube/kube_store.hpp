// Objects from a Kubernetes API server. Rules: docs/reconciler.md, section 8.
#pragma once

#include <memory>
#include <string>

#include "lvmd/base/result.hpp"
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

}  // namespace lvmd::reconciler::kube
