// HTTP as far as probes and a scrape of metrics need it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace lvmd::http {

// The version of Prometheus' text format.
inline constexpr std::string_view kMetricsText = "text/plain; version=0.0.4; charset=utf-8";

struct Page {
  // 200, or 503 for what is asked about not being so.
  bool is_good = true;
  // Ends with a line break.
  std::string text;
  std::string_view type = "text/plain; charset=utf-8";
};

// The pages by their paths ("/healthz"); each is made anew for each request.
using Pages = std::map<std::string, std::function<Page()>, std::less<>>;

// What to answer for a page that could not be made.
[[nodiscard]] std::string internal_error_answer();

// The answer, headers and body, to a request whose head (up to and with the blank line) is `head`:
// GET and HEAD of a page; anything else is an error that says so. Every answer ends the connection.
[[nodiscard]] std::string http_answer(std::string_view head, const Pages& pages);

}  // namespace lvmd::http
