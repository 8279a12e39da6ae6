#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <catch2/catch.hpp>

#include "lvmd/supervisor/metrics_listener.hpp"
#include "tests/unit/supervisor/scratch_directory.hpp"

using namespace lvmd;
using namespace lvmd::supervisor;

TEST_CASE("TopoLVM's flag leads to a loopback address or disables metrics [P-CLI-8]",
          "[supervisor]") {
  for (const char* const off : {"", "0"}) {
    const auto flag = parse_metrics_flag(off);
    REQUIRE(flag);
    CHECK_FALSE(flag->address);
  }
  for (const char* const everywhere : {":8080", "0.0.0.0:8080", "[::]:8080"}) {
    CAPTURE(everywhere);
    const auto flag = parse_metrics_flag(everywhere);
    REQUIRE(flag);
    REQUIRE(flag->address);
    CHECK(flag->address->host == "127.0.0.1");
    CHECK(flag->address->port == 8080);
    CHECK(flag->is_confined);
  }
  const auto plain = parse_metrics_flag("127.0.0.1:9099");
  REQUIRE(plain);
  CHECK_FALSE(plain->is_confined);
}

TEST_CASE(
    "a flag with an address that other hosts reach is refused, and the error names the flag "
    "[P-CLI-8]",
    "[supervisor]") {
  for (const char* const wrong : {"192.0.2.1:8080", "example.org:8080", ":x", "8080"}) {
    CAPTURE(wrong);
    const auto flag = parse_metrics_flag(wrong);
    REQUIRE_FALSE(flag);
    CHECK(flag.error().message.find("--metrics-bind-address") != std::string::npos);
  }
}

TEST_CASE("metrics listen at a Unix socket or at loopback [P-METRIC-1]", "[supervisor]") {
  const ScratchDirectory directory;
  const auto unix_socket =
      open_metrics_listener({.path = directory.file("metrics.sock")}, std::nullopt);
  REQUIRE(unix_socket);
  // A port that is probably free.
  sockaddr_in address{};
  socklen_t size = sizeof address;
  {
    const UniqueFd probe{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::bind(probe.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    REQUIRE(::getsockname(probe.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
  }
  const config::MetricsAddress port{.host = "127.0.0.1", .port = ntohs(address.sin_port)};
  const auto listener = open_metrics_listener(port, std::nullopt);
  REQUIRE(listener);
  const auto taken = open_metrics_listener(port, std::nullopt);
  REQUIRE_FALSE(taken);
  CHECK(taken.error().message.find(to_string(port)) != std::string::npos);
}
