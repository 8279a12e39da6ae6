#include "csi/app/pages.hpp"

namespace lvmd::controller {

http::Pages make_pages(const ObjectStore& store, const Metrics& metrics) {
  http::Pages pages;
  pages["/healthz"] = [] { return http::Page{.text = "alive\n"}; };
  pages["/readyz"] = [&store] {
    if (store.is_ready()) return http::Page{.text = "ready\n"};
    return http::Page{.is_good = false,
                      .text = "the objects and Nodes are not known at the moment\n"};
  };
  pages["/metrics"] = [&store, &metrics] {
    return http::Page{.text = metrics.text(store), .type = http::kMetricsText};
  };
  return pages;
}

}  // namespace lvmd::controller
