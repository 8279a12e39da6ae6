// States that change without a call.
#include <catch2/catch.hpp>

#include "tests/contract/scratch.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;

namespace {

constexpr std::chrono::milliseconds kMessageLimit = kLimit;

}  // namespace

TEST_CASE("a change made by hand shows in reads and Watch [P-RUN-3, P-WATCH-2]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  const auto stream = client.watch();
  const auto before = stream->next(kMessageLimit);
  REQUIRE(before);
  REQUIRE(node->by_hand("vg_thick", [](fakes::FakeGroup& vg) { vg.make_linear("by-hand", 2); }));
  const auto after = stream->next(kMessageLimit);
  REQUIRE(after);
  CHECK(after->free_bytes() == before->free_bytes() - static_cast<std::uint64_t>(2 * kExtent));
  CHECK(listed(client, "thick", "by-hand").size_bytes() == 2 * kExtent);
  // lvmd's rules apply to it: it is identical by size, because it has no tags [P-IDEM-4].
  CHECK(client.create(create_request("thick", "by-hand", 2 * kExtent)).ok());
  CHECK(client.create(create_request("thick", "by-hand", kExtent)).code == Code::kAlreadyExists);
}

TEST_CASE("a change of a pool's usage is sent [P-MSG-42]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  const auto stream = client.watch();
  REQUIRE(stream->next(kMessageLimit));
  REQUIRE(node->by_hand("vg_thick", [](fakes::FakeGroup& vg) {
    vg.set_usage("pool", {.data_percent = 12.5, .metadata_percent = 3.25});
  }));
  const auto message = stream->next(kMessageLimit);
  REQUIRE(message);
  CHECK(message->items(1).thin_pool().data_percent() == 12.5);
  CHECK(message->items(1).thin_pool().metadata_percent() == 3.25);
}

TEST_CASE("a volume in use is not removed [P-REMOVE-3]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  REQUIRE(client.create(create_request("thick", "one", kExtent)).ok());
  REQUIRE(node->by_hand("vg_thick", [](fakes::FakeGroup& vg) { vg.set_open("one", true); }));
  CHECK(client.remove(remove_request("thick", "one")).code == Code::kFailedPrecondition);
  REQUIRE(node->by_hand("vg_thick", [](fakes::FakeGroup& vg) { vg.set_open("one", false); }));
  CHECK(client.remove(remove_request("thick", "one")).ok());
}

TEST_CASE("a volume group that becomes unusable has a reason, and recovers [P-STATE-1, P-STATE-3]",
          "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  const auto stream = client.watch();
  const auto health = client.watch_health("vg/vg_thick");
  const auto before = stream->next(kMessageLimit);
  REQUIRE(before);
  CHECK(health->next(kMessageLimit) == Health::kServing);

  REQUIRE(node->set_trouble("vg_thick",
                            make_error(Code::kUnavailable, "volume group vg_thick is exported")));
  // The stream continues without the group's classes [P-WATCH-3, P-WATCH-6].
  const auto without = stream->next(kMessageLimit);
  REQUIRE(without);
  REQUIRE(without->items_size() == 1);
  CHECK(without->items(0).device_class() == "striped");
  CHECK(without->free_bytes() == 0);
  CHECK(health->next(kMessageLimit) == Health::kNotServing);
  const auto refused = client.list("thick");
  CHECK(refused.code == Code::kUnavailable);
  CHECK(refused.message == "volume group vg_thick is exported");
  CHECK(client.create(create_request("thin", "one", kExtent)).code == Code::kUnavailable);

  REQUIRE(node->set_trouble("vg_thick", std::nullopt));
  const auto healed = stream->next(kMessageLimit);
  REQUIRE(healed);
  CHECK(healed->SerializeAsString() == before->SerializeAsString());
  CHECK(health->next(kMessageLimit) == Health::kServing);
  CHECK(client.create(create_request("thin", "one", kExtent)).ok());
}

TEST_CASE(
    "a slow client skips intermediate states, never the newest, and delays no other client "
    "[P-WATCH-5]",
    "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  Client other{node->socket()};
  constexpr int kChanges = 4000;
  const auto slow = client.watch_without_reading();
  const auto quick = other.watch();
  const auto before = quick->next(kMessageLimit);
  REQUIRE(before);
  for (int i = 1; i <= kChanges; ++i)
    REQUIRE(node->by_hand("vg_thick", [i](fakes::FakeGroup& vg) {
      // Each differs enough from the one before to be sent [P-WATCH-20].
      const double percent = i % 2 == 0 ? 25 : 50;
      vg.set_usage("pool", {.data_percent = i == kChanges ? 100 : percent, .metadata_percent = 0});
    }));
  const auto is_last = [](const proto::WatchResponse& message) {
    return message.items(1).thin_pool().data_percent() == 100.0;
  };
  const auto read_to_last = [&is_last](Stream<proto::WatchResponse>& stream) {
    int messages = 0;
    for (;;) {
      const auto message = stream.next(kMessageLimit);
      if (!message) return -1;
      ++messages;
      if (is_last(*message)) return messages;
    }
  };
  CHECK(read_to_last(*quick) > 0);
  slow->start_reading();
  const int seen = read_to_last(*slow);
  CHECK(seen > 0);
  CHECK(seen < kChanges);
}

TEST_CASE("a pool's usage is sent in steps of a tenth of a percentage point [P-WATCH-20]",
          "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  const auto stream = client.watch();
  REQUIRE(stream->next(kMessageLimit));
  const auto use = [&node](double percent) {
    REQUIRE(node->by_hand("vg_thick", [percent](fakes::FakeGroup& vg) {
      vg.set_usage("pool", {.data_percent = percent, .metadata_percent = 1});
    }));
  };
  const auto next_percent = [&stream] {
    const auto message = stream->next(kMessageLimit);
    REQUIRE(message);
    return message->items(1).thin_pool().data_percent();
  };
  use(50);
  CHECK(next_percent() == 50);
  use(50.04);
  use(50.09);
  use(50.11);
  CHECK(next_percent() == 50.11);
  // A later subscriber begins with the newest message.
  use(50.12);
  Client late{node->socket()};
  CHECK(eventually([&late] {
    const auto first = late.watch()->next(kMessageLimit);
    return first && first->items(1).thin_pool().data_percent() == 50.12;
  }));
}
