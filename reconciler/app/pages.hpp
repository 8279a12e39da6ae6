// The HTTP pages of the reconciler. Rules: docs/reconciler.md, R-SERVE-*.
#pragma once

#include <functional>
#include <string>

#include "lvmd/http/http_answer.hpp"

namespace lvmd::reconciler {

// Where the pages get their content. Each function is called on the endpoint's thread.
struct PageSources {
  std::function<bool()> is_store_ready;
  std::function<bool()> is_lvmd_connected;
  // Prometheus' text format.
  std::function<std::string()> metrics;
  // Orphans and missing volumes, for a person.
  std::function<std::string()> orphans;
};

// /healthz, /readyz, /metrics and /orphans. /ledger is another name of /orphans.
[[nodiscard]] http::Pages make_pages(PageSources sources);

}  // namespace lvmd::reconciler
