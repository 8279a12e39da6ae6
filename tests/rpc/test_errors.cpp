// Errors for programs: google.rpc.ErrorInfo.
#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;
using namespace std::chrono_literals;

TEST_CASE("the error for an invalid request has reason, field and value [P-CODE-20]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  const auto name = client.create(create_request("thick", "a/b", kExtent));
  CHECK(name.code == Code::kInvalidArgument);
  CHECK(name.reason == "INVALID_NAME");
  CHECK(name.domain == "lvmd.io");
  CHECK(name.metadata.at("field") == "name");
  CHECK(name.metadata.at("value") == "a/b");

  const auto size = client.create(create_request("thick", "a", -1));
  CHECK(size.reason == "INVALID_SIZE");
  CHECK(size.metadata.at("field") == "size_bytes");
  CHECK(size.metadata.at("value") == "-1");

  const auto unknown = client.remove(remove_request("gold", "a"));
  CHECK(unknown.code == Code::kFailedPrecondition);
  CHECK(unknown.reason == "UNKNOWN_DEVICE_CLASS");
  CHECK(unknown.metadata.at("device_class") == "gold");

  const auto snapshot = client.snapshot(snapshot_request("thick", "s", "a", "ro"));
  CHECK(snapshot.reason == "THICK_SNAPSHOT");
}

TEST_CASE("the error for an unusable group or pool names it [P-CODE-20, P-STATE-1, P-STATE-2]",
          "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  const auto group = client.list("absent");
  CHECK(group.reason == "VOLUME_GROUP_UNAVAILABLE");
  CHECK(group.metadata.at("vg") == "vg_absent");
  const auto pool = client.free_bytes("poolless");
  CHECK(pool.reason == "POOL_UNAVAILABLE");
  CHECK(pool.metadata.at("pool") == "no_pool");
  CHECK(pool.metadata.at("vg") == "vg_striped");
}

TEST_CASE("a worker's error has its reason and the volume [P-CODE-20]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  const auto locked = make_error(Code::kAborted, "volume group vg_thick is locked by lvs (pid 7)")
                          .because("VOLUME_GROUP_LOCKED")
                          .with("holder", "lvs (pid 7)");
  node->worker("vg_thick").fail_next(locked);
  const auto answer = client.create(create_request("thick", "one", kExtent));
  CHECK(answer.code == Code::kAborted);
  CHECK(answer.reason == "VOLUME_GROUP_LOCKED");
  CHECK(answer.metadata == std::map<std::string, std::string>{
                               {"holder", "lvs (pid 7)"}, {"lv", "one"}, {"vg", "vg_thick"}});
  // An error without a reason has the name of its code.
  node->worker("vg_thick").fail_next(make_error(Code::kInternal, "lvcreate failed"));
  CHECK(client.create(create_request("thick", "one", kExtent)).reason == "INTERNAL");
}

TEST_CASE("the error names a hanging command and its duration [P-CODE-20, P-STATE-4]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  REQUIRE(node->worker("vg_thick").announce_busy("lvcreate vg_thick/other", 4711s));
  Answer<proto::CreateLVResponse> refused;
  REQUIRE(eventually([&] {
    refused = client.create(create_request("thick", "one", kExtent));
    return refused.code == Code::kUnavailable;
  }));
  CHECK(refused.reason == "COMMAND_STUCK");
  CHECK(refused.metadata.at("command") == "lvcreate vg_thick/other");
  CHECK(std::stoi(refused.metadata.at("seconds")) >= 4711);
}

TEST_CASE("a message too long for a client's metadata is cut, not lost [P-CODE-20]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  node->worker("vg_thick")
      .fail_next(make_error(Code::kInternal, "lvcreate failed: {}", std::string(20'000, '%')));
  const auto answer = client.create(create_request("thick", "one", kExtent));
  CHECK(answer.code == Code::kInternal);
  CHECK(answer.says("lvcreate failed: %%%"));
  CHECK(answer.reason == "INTERNAL");
}
