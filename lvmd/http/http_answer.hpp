// The subset of HTTP/1 that probes and metrics need. Pure.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace lvmd::http {

// The content type of Prometheus' text format.
inline constexpr std::string_view kMetricsText = "text/plain; version=0.0.4; charset=utf-8";

struct Page {
  // true: status 200. false: status 503, the checked condition does not hold.
  bool is_good = true;
  // The body; ends with a newline.
  std::string text;
  std::string_view type = "text/plain; charset=utf-8";
};

// A function per path ("/healthz") that creates the page; called for each request.
using Pages = std::map<std::string, std::function<Page()>, std::less<>>;

// The response with status 500, for a page that cannot be created.
[[nodiscard]] std::string internal_error_answer();

// The response, headers and body, to the request with this head. `head` ends with the empty line
// of the request. GET and HEAD of a known path return the page; other requests get the status 400,
// 404 or 405. The response closes the connection. Propagates exceptions of the page's function.
[[nodiscard]] std::string http_answer(std::string_view head, const Pages& pages);

}  // namespace lvmd::http
