// Workers that are slow or stuck, or have ended.
#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;
using namespace std::chrono_literals;

TEST_CASE(
    "a worker that dies fails its calls with UNAVAILABLE; its successor accepts new ones [P-RUN-6]",
    "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  fakes::FakeWorker& worker = node->worker("vg_thick");
  worker.hold();
  auto running = begin([&] { return client.create(create_request("thick", "one", kExtent)); });
  REQUIRE(worker.wait_for_requests(1, kLimit));
  auto waiting = begin([&] { return client.create(create_request("thin", "two", kExtent)); });
  worker.die();
  const auto lost = running.get();
  CHECK(lost.code == Code::kUnavailable);
  CHECK(lost.says("vg_thick"));
  CHECK(lost.says("CreateLV vg_thick/one"));
  CHECK(waiting.get().code == Code::kUnavailable);

  SECTION(
      "until then changes are UNAVAILABLE at once, reads and other groups continue [P-STATE-4]") {
    const auto refused = client.create(create_request("thick", "one", kExtent));
    CHECK(refused.code == Code::kUnavailable);
    CHECK(refused.says("vg_thick"));
    CHECK(client.list("thick").ok());
    CHECK(client.free_bytes("thin").ok());
    CHECK(client.create(create_request("striped", "three", kExtent)).ok());
    CHECK(client.health("vg/vg_thick").response == Health::kNotServing);
  }
  SECTION("the successor works") {
    worker.release();
    REQUIRE(node->restart_worker("vg_thick"));
    CHECK(eventually([&] { return client.create(create_request("thick", "one", kExtent)).ok(); }));
    CHECK(client.health("vg/vg_thick").response == Health::kServing);
  }
}

TEST_CASE(
    "a hanging LVM command makes changes of its group UNAVAILABLE at once [P-STATE-4, P-CODE-11, "
    "P-RUN-2]",
    "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  fakes::FakeWorker& worker = node->worker("vg_thick");
  REQUIRE(worker.announce_busy("lvcreate vg_thick/other", 4711s));
  Answer<proto::CreateLVResponse> refused;
  REQUIRE(eventually([&] {
    refused = client.create(create_request("thick", "one", kExtent));
    return refused.code == Code::kUnavailable;
  }));
  CHECK(refused.says("vg_thick"));
  CHECK(refused.says("lvcreate vg_thick/other"));
  CHECK(refused.says("47"));  // 4711 s and the time since then
  CHECK(client.list("thick").ok());
  CHECK(client.create(create_request("striped", "two", kExtent)).ok());

  REQUIRE(worker.announce_idle());
  CHECK(eventually([&] { return client.create(create_request("thick", "one", kExtent)).ok(); }));
}

TEST_CASE("a volume in creation is in no answer until it is ready [P-INTENT-1]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  fakes::FakeWorker& worker = node->worker("vg_thick");
  REQUIRE(client.create(create_request("thick", "one", kExtent)).ok());
  REQUIRE(worker.hide({"one"}));
  REQUIRE(worker.wait_for_hidden_acknowledged(1, kLimit));
  const auto free = client.free_bytes("thick");
  CHECK(client.list("thick").response.volumes().empty());
  CHECK(client.create(create_request("thick", "two", kExtent)).ok());
  CHECK(client.list("thick").response.volumes_size() == 1);

  SECTION("its worker's end does not show it, and the successor's list counts") {
    worker.die();
    REQUIRE(eventually([&] { return client.health("vg/vg_thick").response != Health::kServing; }));
    CHECK(client.list("thick").response.volumes_size() == 1);
    REQUIRE(node->restart_worker("vg_thick"));
    CHECK(client.list("thick").response.volumes_size() == 1);
  }
  REQUIRE(worker.hide({}));
  REQUIRE(worker.wait_for_hidden_acknowledged(2, kLimit));
  CHECK(client.list("thick").response.volumes_size() == 2);
  // Its space was allocated all the time.
  CHECK(client.free_bytes("thick").response.free_bytes() == free.response.free_bytes() - kExtent);
}

TEST_CASE("a command that has not run for long delays no other call", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  REQUIRE(node->worker("vg_thick").announce_busy("lvcreate vg_thick/other", 1s));
  CHECK(client.create(create_request("thick", "one", kExtent)).ok());
}

TEST_CASE(
    "a deadline ends the wait, not the change; the same call joins it [P-RUN-4, P-RUN-20, "
    "P-CODE-12]",
    "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  fakes::FakeWorker& worker = node->worker("vg_thick");
  worker.hold();
  const auto request = create_request("thick", "one", kExtent);
  auto patient = begin([&] { return client.create(request); });
  REQUIRE(worker.wait_for_requests(1, kLimit));
  CHECK(client.create(request, 300ms).code == Code::kDeadlineExceeded);
  // The server logs the end of the second call after it got it.
  REQUIRE(eventually(
      [&] { return node->log().find("CreateLV vg_thick/one: CANCELLED") != std::string::npos; }));
  worker.release();
  CHECK(patient.get().ok());
  CHECK_FALSE(worker.wait_for_requests(2, 300ms));
  CHECK(listed(client, "thick", "one").name() == "one");
}

TEST_CASE("a change continues after its only caller cancelled the call [P-RUN-4]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  fakes::FakeWorker& worker = node->worker("vg_thick");
  worker.hold();
  CHECK(client.create(create_request("thick", "one", kExtent), 300ms).code ==
        Code::kDeadlineExceeded);
  REQUIRE(worker.wait_for_requests(1, kLimit));
  worker.release();
  CHECK(eventually([&] { return listed(client, "thick", "one").name() == "one"; }));
}

TEST_CASE("volume groups do not wait for each other [P-RUN-1]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  fakes::FakeWorker& worker = node->worker("vg_thick");
  worker.hold();
  auto slow = begin([&] { return client.create(create_request("thick", "one", kExtent)); });
  REQUIRE(worker.wait_for_requests(1, kLimit));
  CHECK(client.create(create_request("striped", "two", kExtent)).ok());
  worker.release();
  CHECK(slow.get().ok());
}

TEST_CASE("concurrent calls never get the same extent [P-RUN-1]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  const std::int64_t free = free_bytes(client, "striped");
  const std::int64_t share = free / 8 / (2 * kExtent) * (2 * kExtent);
  constexpr int kCalls = 12;
  std::vector<std::future<Answer<proto::CreateLVResponse>>> calls;
  calls.reserve(kCalls);
  for (int i = 0; i < kCalls; ++i)
    calls.push_back(begin([&client, share, i] {
      return client.create(create_request("striped", fmt::format("v{}", i), share));
    }));
  int made = 0;
  for (auto& call : calls) {
    const auto answer = call.get();
    made += answer.ok() ? 1 : 0;
    CHECK((answer.ok() || answer.code == Code::kResourceExhausted));
  }
  CHECK(made == 8);
  CHECK(free_bytes(client, "striped") == free - 8 * share);
}
