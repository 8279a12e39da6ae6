// The names of the volumes of all objects in the cluster.
#pragma once

#include <set>
#include <string>

#include "lvmd/base/result.hpp"
#include "reconciler/kube/http_client.hpp"

namespace lvmd::reconciler::kube {

// The names of the volumes of all objects of both groups and all nodes, from a new list without
// selector, page by page. A group without CRD has no objects. An Error when any page is missing.
[[nodiscard]] Result<std::set<std::string>> list_volume_names(HttpClient& http);

}  // namespace lvmd::reconciler::kube
