// Reloads of lvmd.yaml while clients are connected.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"
#include "tests/fakes/layout.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;

namespace {

model::DeviceClass& class_of(model::ClassCatalog& catalog, std::string_view name) {
  return *std::ranges::find(catalog.device_classes, name, &model::DeviceClass::name);
}

}  // namespace

TEST_CASE("a reload changes the classes without ending a call or a stream [P-RELOAD-1]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  const auto stream = client.watch();
  const auto before = stream->next(kLimit);
  REQUIRE(before);
  fakes::FakeWorker& worker = node->worker("vg_thick");
  worker.hold();
  auto running = begin([&] { return client.create(create_request("thick", "one", kExtent)); });
  REQUIRE(worker.wait_for_requests(1, kLimit));

  auto catalog = fakes::contract_catalog();
  class_of(catalog, "thick").spare = {0};
  class_of(catalog, "striped").name = "renamed";
  catalog.option_classes = {{.name = "new_options", .options = {}}};
  REQUIRE(node->reconfigure(catalog));

  const auto after = stream->next(kLimit);
  REQUIRE(after);
  CHECK(after->free_bytes() == before->free_bytes() + static_cast<std::uint64_t>(kGiB));
  CHECK(after->items(2).device_class() == "renamed");
  CHECK(client.list("renamed").ok());
  CHECK(client.list("striped").code == Code::kNotFound);
  CHECK(client.remove(remove_request("striped", "x")).code == Code::kFailedPrecondition);
  auto with_options = create_request("renamed", "two", kExtent * 2);
  with_options.set_lvcreate_option_class("linear");
  CHECK(client.create(with_options).reason == "UNKNOWN_OPTION_CLASS");
  with_options.set_lvcreate_option_class("new_options");
  CHECK(client.create(with_options).ok());

  worker.release();
  CHECK(running.get().ok());
  CHECK(node->log().find("has ended") == std::string::npos);
}

TEST_CASE("a group that a reload removes finishes its running change [P-RELOAD-1]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  const auto health = client.watch_health("vg/vg_thick");
  REQUIRE(health->next(kLimit) == Health::kServing);
  fakes::FakeWorker& worker = node->worker("vg_thick");
  worker.hold();
  auto running = begin([&] { return client.create(create_request("thick", "one", kExtent)); });
  REQUIRE(worker.wait_for_requests(1, kLimit));

  auto catalog = fakes::contract_catalog();
  std::erase_if(catalog.device_classes,
                [](const auto& item) { return item.volume_group == "vg_thick"; });
  REQUIRE(node->reconfigure(catalog));
  CHECK(client.list("thick").code == Code::kNotFound);
  CHECK(client.health("vg/vg_thick").code == Code::kNotFound);
  CHECK(health->next(kLimit) == Health::kServiceUnknown);
  worker.release();
  CHECK(running.get().ok());

  SECTION("and returns with a new worker") {
    worker.die();
    REQUIRE(node->reconfigure(fakes::contract_catalog()));
    REQUIRE(node->restart_worker("vg_thick"));
    REQUIRE(node->by_hand("vg_thick", [](fakes::FakeGroup&) {}));
    REQUIRE(eventually([&] { return client.list("thick").ok(); }));
    CHECK(listed(client, "thick", "one").name() == "one");
    CHECK(eventually([&] { return client.create(create_request("thick", "two", kExtent)).ok(); }));
    CHECK(health->next(kLimit).has_value());
  }
}

TEST_CASE("a new group serves as soon as it has a worker and a state [P-RELOAD-1]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  auto catalog = fakes::contract_catalog();
  const auto without = [&catalog](std::string_view group) {
    auto less = catalog;
    std::erase_if(less.device_classes,
                  [group](const auto& item) { return item.volume_group == group; });
    return less;
  };
  REQUIRE(node->reconfigure(without("vg_striped")));
  node->worker("vg_striped").die();
  REQUIRE(node->reconfigure(catalog));
  const auto early = client.create(create_request("striped", "one", 2 * kExtent));
  CHECK(early.code == Code::kUnavailable);
  CHECK(early.reason == "WORKER_GONE");
  CHECK(client.list("striped").reason == "VOLUME_GROUP_UNAVAILABLE");
  REQUIRE(node->restart_worker("vg_striped"));
  REQUIRE(node->by_hand("vg_striped", [](fakes::FakeGroup&) {}));
  CHECK(eventually(
      [&] { return client.create(create_request("striped", "one", 2 * kExtent)).ok(); }));
  CHECK(listed(client, "striped", "one").name() == "one");
}

TEST_CASE("a removed class with volumes is reported in health, and once in the log [P-RELOAD-2]",
          "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  REQUIRE(client.create(create_request("thin", "one", kExtent)).ok());
  REQUIRE(client.create(create_request("thin", "two", kExtent)).ok());
  CHECK(client.health_reason("vg/vg_thick").empty());

  auto catalog = fakes::contract_catalog();
  class_of(catalog, "thin").name = "renamed";
  REQUIRE(node->reconfigure(catalog));
  const std::string text = "2 of device class thin";
  CHECK(client.health_reason("vg/vg_thick").find(text) != std::string::npos);
  // The whole service still serves.
  CHECK(client.health("vg/vg_thick").response == Health::kServing);
  REQUIRE(client.create(create_request("renamed", "three", kExtent)).ok());
  const std::string log = node->log();
  const auto first = log.find(text);
  REQUIRE(first != std::string::npos);
  CHECK(log.find(text, first + 1) == std::string::npos);

  REQUIRE(node->reconfigure(fakes::contract_catalog()));
  CHECK(client.health_reason("vg/vg_thick").find("device class thin") == std::string::npos);
}
