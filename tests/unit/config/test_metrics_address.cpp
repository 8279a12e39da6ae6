#include "lvmd/config/metrics_address.hpp"
#include "tests/unit/config/parsing.hpp"

using namespace lvmd::config;

namespace {

std::string with_metrics(const std::string& value) {
  return std::string{kOneClass} + "metrics-address: " + value + "\n";
}

}  // namespace

TEST_CASE("metrics are off by default [P-CFG-31]", "[config]") {
  CHECK_FALSE(config_of(kOneClass).metrics_address);
  CHECK_FALSE(config_of(with_metrics("\"\"")).metrics_address);
}

TEST_CASE("the metrics address is a Unix socket or a loopback port [P-CFG-31]", "[config]") {
  CHECK(config_of(with_metrics("unix:/run/topolvm/metrics.sock")).metrics_address ==
        MetricsAddress{.path = "/run/topolvm/metrics.sock", .host = "", .port = 0});
  CHECK(config_of(with_metrics("127.0.0.1:9099")).metrics_address ==
        MetricsAddress{.path = "", .host = "127.0.0.1", .port = 9099});
  CHECK(config_of(with_metrics("\"[::1]:9099\"")).metrics_address ==
        MetricsAddress{.path = "", .host = "::1", .port = 9099});
  CHECK(config_of(with_metrics("localhost:1")).metrics_address ==
        MetricsAddress{.path = "", .host = "127.0.0.1", .port = 1});
}

TEST_CASE(
    "an address that other hosts reach, or an invalid one, is an error with the reason [P-CFG-31]",
    "[config]") {
  for (const char* const wrong : {"0.0.0.0:9099", "192.0.2.1:9099", "\"[::]:9099\"", "host:9099"}) {
    CAPTURE(wrong);
    CHECK(error_of(with_metrics(wrong)).find("is reachable from other hosts") != std::string::npos);
  }
  for (const char* const wrong :
       {"9099", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:65536", "127.0.0.1:x"}) {
    CAPTURE(wrong);
    CHECK(error_of(with_metrics(wrong)).find("lvmd.yaml:4: metrics-address: ") == 0);
  }
  CHECK(error_of(with_metrics("unix:relative.sock")).find("absolute path") != std::string::npos);
}

TEST_CASE("the text of an address can be parsed again", "[config]") {
  for (const char* const text : {"unix:/run/x.sock", "127.0.0.1:9099", "[::1]:9099"}) {
    const auto address = parse_metrics_address(text);
    REQUIRE(address);
    CHECK(to_string(*address) == text);
  }
}
