#include "reconciler/app/pages.hpp"

#include <utility>

namespace lvmd::reconciler {
namespace {

http::Page readiness(const Vitals& vitals) {
  std::string missing;
  if (!vitals.is_store_ready()) missing += "the objects are not known yet, or not any more\n";
  if (!vitals.is_lvmd_connected()) missing += "lvmd is not there\n";
  if (missing.empty()) return {.text = "ready\n"};
  return {.is_good = false, .text = std::move(missing)};
}

}  // namespace

http::Pages make_pages(Vitals vitals) {
  http::Pages pages;
  pages["/healthz"] = [] { return http::Page{.text = "alive\n"}; };
  pages["/metrics"] = [metrics = vitals.metrics] {
    return http::Page{.text = metrics(), .type = http::kMetricsText};
  };
  pages["/ledger"] = [orphans = vitals.orphans] { return http::Page{.text = orphans()}; };
  pages["/readyz"] = [vitals = std::move(vitals)] { return readiness(vitals); };
  return pages;
}

}  // namespace lvmd::reconciler
