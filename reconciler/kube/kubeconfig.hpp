// Where the API server is and who we are to it, from a kubeconfig file. Rule: R-CLI-13.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lvmd/base/result.hpp"
#include "reconciler/kube/kube_store.hpp"

namespace lvmd::reconciler::kube {

// Server and credentials of the file's current context; the node's name is left empty. The error
// names the file, and what in it is missing or can't be used here: credentials that only a program
// can get (exec, auth-provider), passwords, a server that isn't checked.
[[nodiscard]] Result<KubeOptions> read_kubeconfig(const std::string& path);

// RFC 4648, with padding; absent when the text is not that.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

}  // namespace lvmd::reconciler::kube
