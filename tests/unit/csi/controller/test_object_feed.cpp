#include <catch2/catch.hpp>
#include <chrono>

#include "csi/controller/object_feed.hpp"
#include "tests/unit/csi/controller/sample_objects.hpp"

using namespace lvmd;
using namespace lvmd::controller;
using namespace lvmd::controller::test;
using reconciler::LogicalVolume;

namespace {

// Without waiting.
std::optional<Report> next(Subscription& subscription) {
  return subscription.next(std::chrono::steady_clock::now());
}

}  // namespace

TEST_CASE("a call sees every state of its object, in order [C-WAIT-5]", "[csi][controller]") {
  ObjectFeed feed;
  feed.put(sample_volume());
  Subscription reports = feed.subscribe("pvc-1");
  CHECK_FALSE(next(reports));
  LogicalVolume object = sample_volume();
  object.status.code = 8;
  feed.put(object);
  object.status.code = 0;
  feed.put(object);
  feed.put(sample_volume("other"));
  feed.erase("pvc-1");
  feed.erase("pvc-1");
  CHECK((**next(reports)).status.code == 8);
  CHECK((**next(reports)).status.code == 0);
  const auto gone = next(reports);
  REQUIRE(gone);
  CHECK_FALSE(*gone);
  CHECK_FALSE(next(reports));
}

TEST_CASE("a new list reports what has changed and what is gone [C-WAIT-5]", "[csi][controller]") {
  ObjectFeed feed;
  feed.put(sample_volume("a"));
  feed.put(sample_volume("b"));
  Subscription gone = feed.subscribe("a");
  Subscription kept = feed.subscribe("b");
  feed.replace({sample_volume("b"), sample_volume("c")});
  CHECK_FALSE(*next(gone));
  CHECK((*next(kept))->key.name == "b");
  CHECK(feed.all().size() == 2);
  CHECK(feed.get("c"));
  CHECK(feed.with_handle("uid-of-c").size() == 1);
  CHECK(feed.with_handle("uid-of-a").empty());
}

TEST_CASE("a stop ends the waits, also those that begin later [C-WAIT-5]", "[csi][controller]") {
  ObjectFeed feed;
  Subscription before = feed.subscribe("a");
  feed.stop();
  Subscription after = feed.subscribe("a");
  const auto later = std::chrono::steady_clock::now() + std::chrono::hours{1};
  CHECK_FALSE(before.next(later));
  CHECK_FALSE(after.next(later));
  CHECK(before.is_stopped());
  CHECK(after.is_stopped());
}
