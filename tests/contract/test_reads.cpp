// GetLVList, Watch, health and reflection. The cases of GetFreeBytes are where space is allocated
// and freed.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace std::chrono_literals;

namespace {

constexpr auto kMessageLimit = 20s;

// The item of the class; empty when the message does not contain it.
proto::WatchItem item_of(const proto::WatchResponse& message, const std::string& device_class) {
  for (const proto::WatchItem& item : message.items())
    if (item.device_class() == device_class) return item;
  return {};
}

}  // namespace

TEST_CASE("the list is sorted by name [P-LIST-2]", "[contract]") {
  Scratch scratch;
  const std::string one = scratch.name("thin");
  const std::string two = scratch.name("thin");
  REQUIRE(scratch.client.create(create_request("thin", two, kExtent)).ok());
  REQUIRE(scratch.client.create(create_request("thin", one, kExtent)).ok());
  const auto list = scratch.client.list("thin");
  REQUIRE(list.ok());
  CHECK(list.response.volumes_size() >= 2);
  CHECK(std::ranges::is_sorted(list.response.volumes(), {}, &proto::LogicalVolume::name));
}

TEST_CASE("Watch sends all classes at once, in the order of lvmd.yaml [P-WATCH-1, P-WATCH-3]",
          "[contract]") {
  Scratch scratch;
  const auto stream = scratch.client.watch();
  const auto first = stream->next(kMessageLimit);
  REQUIRE(first);
  REQUIRE(first->items_size() == 3);
  CHECK(first->items(0).device_class() == "thick");
  CHECK(first->items(1).device_class() == "thin");
  CHECK(first->items(2).device_class() == "striped");
}

TEST_CASE("Watch and GetFreeBytes agree for every class [P-WATCH-7, P-MSG-36, P-FREE-1]",
          "[contract]") {
  Scratch scratch;
  const auto message = scratch.client.watch()->next(kMessageLimit);
  REQUIRE(message);
  const auto free = [&scratch](const std::string& name) {
    return static_cast<std::uint64_t>(free_bytes(scratch.client, name));
  };
  CHECK(message->free_bytes() == free("thick"));
  CHECK(item_of(*message, "thick").free_bytes() == free("thick"));
  CHECK(item_of(*message, "striped").free_bytes() == free("striped"));
  CHECK_FALSE(item_of(*message, "thick").has_thin_pool());
  const proto::WatchItem thin = item_of(*message, "thin");
  REQUIRE(thin.has_thin_pool());
  CHECK(thin.thin_pool().overprovision_bytes() == free("thin"));
  CHECK(thin.thin_pool().size_bytes() == static_cast<std::uint64_t>(2 * kGiB));
  CHECK(thin.size_bytes() == item_of(*message, "thick").size_bytes());
}

TEST_CASE("Watch sends every change, and nothing without a change [P-WATCH-2, P-WATCH-4]",
          "[contract]") {
  Scratch scratch;
  const auto stream = scratch.client.watch();
  const auto before = stream->next(kMessageLimit);
  REQUIRE(before);
  const std::string name = scratch.name("thick");
  const auto request = create_request("thick", name, kExtent);
  REQUIRE(scratch.client.create(request).ok());
  const auto after = stream->next(kMessageLimit);
  REQUIRE(after);
  CHECK(after->free_bytes() == before->free_bytes() - static_cast<std::uint64_t>(kExtent));

  // A repeated call, a failed one and a resize to a smaller size change nothing: the next message
  // is that of the removal.
  REQUIRE(scratch.client.create(request).ok());
  REQUIRE(scratch.client.resize(resize_request("thick", name, 1)).ok());
  REQUIRE_FALSE(scratch.client.create(create_request("thick", name, 2 * kExtent)).ok());
  REQUIRE(scratch.client.remove(remove_request("thick", name)).ok());
  const auto last = stream->next(kMessageLimit);
  REQUIRE(last);
  CHECK(last->free_bytes() == before->free_bytes());
}

TEST_CASE("health has the state of each volume group [P-HEALTH-1, P-HEALTH-2, P-HEALTH-4]",
          "[contract]") {
  Scratch scratch;
  CHECK(scratch.client.health("vg/vg_thick").response == Health::kServing);
  // The pool of its class "poolless" does not exist.
  CHECK(scratch.client.health("vg/vg_striped").response == Health::kNotServing);
  CHECK(scratch.client.health("vg/vg_absent").response == Health::kNotServing);
  for (const char* const whole : {"", "proto.LVService", "proto.VGService"}) {
    CAPTURE(whole);
    CHECK(scratch.client.health(whole).response == Health::kNotServing);
  }
  CHECK(scratch.client.watch_health("vg/vg_thick")->next(kMessageLimit) == Health::kServing);
}

TEST_CASE("other health services are unknown [P-HEALTH-3]", "[contract]") {
  Scratch scratch;
  CHECK(scratch.client.health("vg/other").code == Code::kNotFound);
  CHECK(scratch.client.watch_health("vg/other")->next(kMessageLimit) == Health::kServiceUnknown);
}

TEST_CASE("reflection lists and describes every service [P-HEALTH-5]", "[contract]") {
  Scratch scratch;
  const auto services = scratch.client.reflected_services();
  REQUIRE(services.ok());
  for (const char* const name :
       {"proto.LVService", "proto.VGService", "lvmd.v1.MountService", "grpc.health.v1.Health"}) {
    CAPTURE(name);
    CHECK(std::ranges::count(services.response, name) == 1);
    CHECK(scratch.client.reflection_describes(name));
  }
}
