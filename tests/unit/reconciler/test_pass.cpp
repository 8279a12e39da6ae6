#include <catch2/catch.hpp>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "reconciler/run/pass.hpp"
#include "tests/unit/reconciler/fake_store.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

namespace {

using Calls = std::vector<std::string>;

struct World {
  FakeStore store;
  FakeService service;
  std::stop_source stop;

  World() {
    store.object.key.name = "data";
    store.object.uid = "uid-1";
    store.object.spec.size = "1Gi";
    store.object.spec.device_class = "ssd";
    store.object.spec.lvcreate_option_class = "fast";
  }

  Outcome pass(unsigned failures = 0) {
    store.calls.clear();
    service.calls.clear();
    return Pass{store, service, store.object, failures, stop.get_token()}.run();
  }

  void finish() {
    REQUIRE(pass() == Outcome::kSettled);
    REQUIRE(pass() == Outcome::kSettled);
  }
};

}  // namespace

TEST_CASE("a new object becomes a volume in one pass [R-CREATE-1..4]", "[reconciler][run]") {
  World world;
  CHECK(world.pass() == Outcome::kSettled);
  CHECK(world.store.calls == Calls{"mark", "status"});
  CHECK(world.service.calls == Calls{"find ssd", "create uid-1 fast"});
  CHECK(world.store.object.status.volume_id == "uid-1");
  CHECK(world.store.object.status.current_size == Bytes{1073741824});
}

TEST_CASE("a settled object costs no call at all [R-RUN-3]", "[reconciler][run]") {
  World world;
  world.finish();
  CHECK(world.store.calls.empty());
  CHECK(world.service.calls.empty());
}

TEST_CASE("a volume left by a crash before the status is adopted, not made again [R-CREATE-2]",
          "[reconciler][run]") {
  World world;
  world.service.volumes["uid-1"] = {1077936128};
  CHECK(world.pass() == Outcome::kSettled);
  CHECK(world.service.calls == Calls{"find ssd"});
  CHECK(world.store.object.status.current_size == Bytes{1077936128});
}

TEST_CASE("a larger size grows the volume [R-GROW-1, R-GROW-2]", "[reconciler][run]") {
  World world;
  world.finish();
  world.store.object.spec.size = "2Gi";
  CHECK(world.pass() == Outcome::kSettled);
  CHECK(world.service.calls == Calls{"resize uid-1"});
  CHECK(world.store.object.status.current_size == Bytes{2147483648});
}

TEST_CASE("an object of a class that lvmd doesn't have is not held by a finalizer [R-REC-2]",
          "[reconciler][run]") {
  World world;
  world.service.error = make_error(Code::kNotFound, "device class not found: ssd");
  CHECK(world.pass() == Outcome::kRetry);
  CHECK(world.store.calls == Calls{"status"});
  CHECK(world.store.object.status.code == 5);
  CHECK_FALSE(world.store.object.held);
}

TEST_CASE("the versions that a pass overwrote are known afterwards", "[reconciler][run]") {
  World world;
  world.store.object.resource_version = "1";
  Pass pass{world.store, world.service, world.store.object, 0, world.stop.get_token()};
  REQUIRE(pass.run() == Outcome::kSettled);
  CHECK(pass.superseded() == std::set<std::string>{"1", "1m"});
  CHECK(pass.volume().resource_version == "1ms");
}

TEST_CASE("a removal takes the volume, then lets the object go [R-DELETE-2]", "[reconciler][run]") {
  World world;
  world.finish();
  world.store.object.removal_wanted = true;
  SECTION("the volume is there") {}
  SECTION("the volume is gone already") { world.service.volumes.clear(); }
  CHECK(world.pass() == Outcome::kGone);
  CHECK(world.store.calls == Calls{"begin removal", "release"});
  CHECK(world.service.calls == Calls{"remove uid-1"});
  CHECK(world.service.volumes.empty());
}

TEST_CASE("a removal that lvmd refuses keeps the object [R-DELETE-3]", "[reconciler][run]") {
  World world;
  world.finish();
  world.store.object.removal_wanted = true;
  world.service.error = make_error(Code::kFailedPrecondition, "unknown device class \"ssd\"");
  CHECK(world.pass() == Outcome::kRetry);
  CHECK(world.store.calls == Calls{"begin removal", "status"});
  CHECK(world.store.object.status.code == 9);
  CHECK(world.store.exists);
}

TEST_CASE("a failure is in the status once, and gone with its cause [R-FAIL-2, R-FAIL-6]",
          "[reconciler][run]") {
  World world;
  world.service.error = make_error(Code::kResourceExhausted, "no space");
  CHECK(world.pass(0) == Outcome::kRetry);
  CHECK(world.store.object.status.code == 8);
  CHECK(world.pass(1) == Outcome::kRetry);
  CHECK(world.store.calls.empty());
  world.service.error.reset();
  CHECK(world.pass(2) == Outcome::kSettled);
  CHECK(world.store.object.status ==
        VolumeStatus{.volume_id = "uid-1", .current_size = Bytes{1073741824}});
}

TEST_CASE("lvmd being away for a moment does not show in the status [R-FAIL-1]",
          "[reconciler][run]") {
  World world;
  world.service.error = make_error(Code::kUnavailable, "connection refused");
  CHECK(world.pass(0) == Outcome::kRetry);
  CHECK(world.store.object.status == VolumeStatus{});
  CHECK(world.pass(1) == Outcome::kRetry);
  CHECK(world.store.object.status.code == 0);
  CHECK(world.store.object.status.message.contains("connection refused"));
}

TEST_CASE("a conflict is planned anew at once, the first time [R-FAIL-7]", "[reconciler][run]") {
  World world;
  world.store.errors = {make_error(Code::kAborted, "409")};
  world.store.newer = world.store.object;
  world.store.newer->spec.size = "2Gi";
  CHECK(world.pass() == Outcome::kSettled);
  CHECK(world.store.calls == Calls{"mark", "reread", "mark", "status"});
  CHECK(world.service.volumes["uid-1"] == Bytes{2147483648});
}

TEST_CASE("a second conflict waits for the backoff [R-FAIL-7]", "[reconciler][run]") {
  World world;
  world.store.errors = {make_error(Code::kAborted, "409"), make_error(Code::kAborted, "409")};
  CHECK(world.pass() == Outcome::kRetry);
  CHECK(world.store.calls == Calls{"mark", "reread", "mark"});
  CHECK(world.service.volumes.empty());
}

TEST_CASE("while the store can't be written nothing is made [R-FAIL-7, R-CREATE-1]",
          "[reconciler][run]") {
  World world;
  world.store.errors = {make_error(Code::kUnavailable, "API server away")};
  CHECK(world.pass() == Outcome::kRetry);
  CHECK(world.service.volumes.empty());
}

TEST_CASE("an object that is gone is left [R-KUBE-10]", "[reconciler][run]") {
  World world;
  world.store.errors = {make_error(Code::kNotFound, "404")};
  CHECK(world.pass() == Outcome::kGone);
}

TEST_CASE("an lvmd that answers OK and does nothing is not asked in a loop [R-RUN-5]",
          "[reconciler][run]") {
  World world;
  world.finish();
  world.store.object.spec.size = "2Gi";
  world.service.lazy = true;
  CHECK(world.pass() == Outcome::kRetry);
  CHECK(world.service.calls.size() <= 12);
}

TEST_CASE("after a stop no step is begun and no failure written [R-CLI-22]", "[reconciler][run]") {
  World world;
  world.stop.request_stop();
  CHECK(world.pass(5) == Outcome::kRetry);
  CHECK(world.store.calls.empty());
  CHECK(world.service.calls.empty());
}
