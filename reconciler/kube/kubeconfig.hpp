// Server and credentials from a kubeconfig file. Rule: R-CLI-13.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/kube/kube_store.hpp"

namespace lvmd::reconciler::kube {

// Server and credentials of the file's current context; the node's name stays empty. The error
// names the file and what is missing in it, or not supported: credentials that only a program can
// get (exec, auth-provider), passwords, a server without verification.
[[nodiscard]] Result<KubeOptions> read_kubeconfig(const std::string& path);

// "https://HOST:PORT" of the cluster in a pod of which this process runs, from the environment;
// empty: it runs in none [R-CLI-7].
[[nodiscard]] std::string in_cluster_server();

// RFC 4648, with padding. Absent for any other text.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

}  // namespace lvmd::reconciler::kube
