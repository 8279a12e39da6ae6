#include "reconciler/app/pages.hpp"

#include <utility>

namespace lvmd::reconciler {
namespace {

http::Page readiness(const PageSources& sources) {
  std::string missing;
  if (!sources.is_store_ready()) missing += "the objects are not known at the moment\n";
  if (!sources.is_lvmd_connected()) missing += "lvmd does not report its capacity\n";
  if (missing.empty()) return {.text = "ready\n"};
  return {.is_good = false, .text = std::move(missing)};
}

}  // namespace

http::Pages make_pages(PageSources sources) {
  http::Pages pages;
  pages["/healthz"] = [] { return http::Page{.text = "alive\n"}; };
  pages["/metrics"] = [metrics = sources.metrics] {
    return http::Page{.text = metrics(), .type = http::kMetricsText};
  };
  for (const char* const path : {"/orphans", "/ledger"})
    pages[path] = [orphans = sources.orphans] { return http::Page{.text = orphans()}; };
  pages["/readyz"] = [sources = std::move(sources)] { return readiness(sources); };
  return pages;
}

}  // namespace lvmd::reconciler
