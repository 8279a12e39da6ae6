// One volume group whose disk does not respond: the other groups, and all reads, continue.
#include <catch2/catch.hpp>
#include <chrono>

#include "tests/contract/scratch.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;
using namespace std::chrono_literals;

TEST_CASE("a group whose disk does not respond accepts no changes, and other groups do [P-STATE-8]",
          "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  REQUIRE(node->announce_observer_step("vg_thick", "read /dev/sdb", 7s, 8s));
  // No frame tells the server when the limit has passed.
  CHECK(eventually([&] { return client.health("vg/vg_thick").response == Health::kNotServing; }));
  const auto refused = client.create(create_request("thick", "late", kExtent));
  CHECK(refused.code == Code::kUnavailable);
  CHECK(refused.says("read /dev/sdb"));
  CHECK(client.list("thick").ok());
  CHECK(client.create(create_request("striped", "other", kExtent)).ok());
  REQUIRE(node->end_observer_step("vg_thick"));
  CHECK(eventually([&] { return client.health("vg/vg_thick").response == Health::kServing; }));
  CHECK(client.create(create_request("thick", "again", kExtent)).ok());
}
