// The HTTP pages of csi-controller. Rules: C-SERVE-*.
#pragma once

#include "csi/app/metrics.hpp"
#include "csi/controller/object_store.hpp"
#include "lvmd/http/http_answer.hpp"

namespace lvmd::controller {

// /healthz, /readyz and /metrics. The references must outlive the pages.
[[nodiscard]] http::Pages make_pages(const ObjectStore& store, const Metrics& metrics);

}  // namespace lvmd::controller
