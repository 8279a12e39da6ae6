#include <catch2/catch.hpp>

#include "lvmd/http/http_answer.hpp"

using namespace lvmd::http;

namespace {

Pages sample_pages() {
  return {{"/metrics", [] { return Page{.text = "a 1\n", .type = kMetricsText}; }},
          {"/good", [] { return Page{.text = "yes\n"}; }},
          {"/bad", [] { return Page{.is_good = false, .text = "because\n"}; }}};
}

std::string answer(const std::string& request) {
  return http_answer(request + "\r\nHost: x\r\n\r\n", sample_pages());
}

}  // namespace

TEST_CASE("GET /metrics returns the text in Prometheus' format [P-METRIC-1]", "[http]") {
  CHECK(answer("GET /metrics HTTP/1.1") ==
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
        "Content-Length: 4\r\nConnection: close\r\n\r\na 1\n");
  CHECK(answer("GET /metrics?x=y HTTP/1.0").starts_with("HTTP/1.1 200 "));
}

TEST_CASE("the status of a page is 200, or 503 with the reason [R-SERVE-1]", "[http]") {
  CHECK(answer("GET /good HTTP/1.1").starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(answer("GET /good HTTP/1.1").ends_with("\r\n\r\nyes\n"));
  CHECK(answer("GET /bad HTTP/1.1").starts_with("HTTP/1.1 503 "));
  CHECK(answer("GET /bad HTTP/1.1").ends_with("because\n"));
}

TEST_CASE("HEAD returns the same headers without the body", "[http]") {
  const std::string head = answer("HEAD /metrics HTTP/1.1");
  CHECK(head.starts_with("HTTP/1.1 200 "));
  CHECK(head.find("Content-Length: 4\r\n") != std::string::npos);
  CHECK(head.ends_with("\r\n\r\n"));
}

TEST_CASE("a request that names no page is an error [R-SERVE-1]", "[http]") {
  CHECK(answer("GET / HTTP/1.1").starts_with("HTTP/1.1 404 "));
  CHECK(answer("GET /metrics/x HTTP/1.1").starts_with("HTTP/1.1 404 "));
  CHECK(answer("POST /metrics HTTP/1.1").starts_with("HTTP/1.1 405 "));
  CHECK(answer("GET /metrics").starts_with("HTTP/1.1 400 "));
  CHECK(answer("GET  HTTP/1.1").starts_with("HTTP/1.1 400 "));
  CHECK(answer("PRI * HTTP/2.0").starts_with("HTTP/1.1 400 "));
  CHECK(http_answer("\r\n\r\n", sample_pages()).starts_with("HTTP/1.1 400 "));
}
