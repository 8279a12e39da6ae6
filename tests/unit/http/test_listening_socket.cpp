#include <catch2/catch.hpp>
#include <string>

#include "lvmd/http/listening_socket.hpp"

using namespace lvmd;
using namespace lvmd::http;

TEST_CASE("an address that cannot be used for listening is named [R-SERVE-2]", "[http]") {
  const std::string wrong = GENERATE(as<std::string>{}, "", "8080", "host.example:80", "1.2.3.4:x");
  const auto listener = listen_at(wrong);
  REQUIRE_FALSE(listener.has_value());
  CHECK(listener.error().message.contains("\"" + wrong + "\""));
  const auto first = listen_at("127.0.0.1:0");
  REQUIRE(first.has_value());
  const std::string taken = "127.0.0.1:" + std::to_string(first->port);
  const auto second = listen_at(taken);
  REQUIRE_FALSE(second.has_value());
  CHECK(second.error().message.contains(taken));
}
