// The reconciliation of one object when lvmd or the store fails, and when it must stop.
#include <catch2/catch.hpp>
#include <string>

#include "reconciler/app/reconciliation.hpp"
#include "reconciler/model/reason.hpp"
#include "tests/unit/reconciler/app/object_world.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

TEST_CASE(
    "a failure is written to the status once, and removed with its cause [R-FAIL-2, R-FAIL-6]",
    "[reconciler][run]") {
  ObjectWorld world;
  world.service.error = make_error(Code::kResourceExhausted, "no space");
  CHECK(world.reconcile(0) == ReconcileResult::kRefused);
  CHECK(world.store.object.status.code == 8);
  CHECK(world.condition("Ready").status == "False");
  CHECK_FALSE(world.condition("Ready").last_transition_time.empty());
  CHECK(world.reconcile(1) == ReconcileResult::kRefused);
  CHECK(world.store.calls.empty());
  world.service.error.reset();
  CHECK(world.reconcile(2) == ReconcileResult::kSettled);
  CHECK(world.store.calls == Calls{"mark", "status"});  // the code goes as volumeID comes
  CHECK(world.store.object.status.code == 0);
  CHECK(world.store.object.status.message.empty());
  CHECK(world.store.object.status.volume_id == "uid-1");
  CHECK(world.condition("Ready").status == "True");
}

TEST_CASE("the first write for a new request removes an old failure [R-FAIL-11]",
          "[reconciler][run]") {
  ObjectWorld world;
  world.service.error = make_error(Code::kResourceExhausted, "no space");
  REQUIRE(world.reconcile() == ReconcileResult::kRefused);
  world.service.error = make_error(Code::kUnavailable, "VG vg0 is missing");
  Reconciliation reconciliation{world.store,
                                world.service,
                                {.seen = world.store.object, .renewed = true},
                                world.stop.get_token()};
  CHECK(reconciliation.run() == ReconcileResult::kRetry);
  CHECK(world.store.object.status.code == 0);
  CHECK(world.condition("Ready").status == "Unknown");
  CHECK_FALSE(reconciliation.progress().renewed);
}

TEST_CASE("a store that drops the newer fields causes no repeated writes [R-KUBE-13]",
          "[reconciler][run]") {
  ObjectWorld world;
  world.store.drops_newer_fields = true;
  world.store.object.generation = 1;
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.store.calls == Calls{"mark", "status"});
}

TEST_CASE("a failure that the second attempt resolves is not written to the status [R-FAIL-1]",
          "[reconciler][run]") {
  ObjectWorld world;
  world.service.error = make_error(Code::kAborted, "VG vg0 is locked");
  CHECK(world.reconcile(0) == ReconcileResult::kRetry);
  CHECK(world.store.object.status == VolumeStatus{});
  CHECK(world.reconcile(1) == ReconcileResult::kRetry);
  CHECK(world.store.object.status.code == 0);
  CHECK(world.store.object.status.message.empty());
  CHECK(world.condition("Ready").message == "VG vg0 is locked");
}

TEST_CASE("no status is written while lvmd is unavailable [R-FAIL-9]", "[reconciler][run]") {
  ObjectWorld world;
  world.service.error = make_error(Code::kUnavailable, "connection refused")
                            .because(reconciler::own_reason::kLvmdUnreachable);
  CHECK(world.reconcile(5) == ReconcileResult::kRetry);
  CHECK(world.store.calls.empty());
}

TEST_CASE("the first conflict leads to a new plan at once [R-FAIL-7]", "[reconciler][run]") {
  ObjectWorld world;
  world.store.errors = {make_error(Code::kAborted, "409")};
  world.store.newer = world.store.object;
  world.store.newer->spec.size = "2Gi";
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.store.calls == Calls{"mark", "reread", "mark", "status"});
  CHECK(world.service.volumes["uid-1"] == Bytes{2147483648});
}

TEST_CASE("a second conflict waits for the backoff [R-FAIL-7]", "[reconciler][run]") {
  ObjectWorld world;
  world.store.errors = {make_error(Code::kAborted, "409"), make_error(Code::kAborted, "409")};
  CHECK(world.reconcile() == ReconcileResult::kRetry);
  CHECK(world.store.calls == Calls{"mark", "reread", "mark"});
  CHECK(world.service.volumes.empty());
}

TEST_CASE("nothing is created while the store cannot be written [R-FAIL-7, R-CREATE-1]",
          "[reconciler][run]") {
  ObjectWorld world;
  world.store.errors = {make_error(Code::kUnavailable, "API server away")};
  CHECK(world.reconcile() == ReconcileResult::kRetry);
  CHECK(world.service.volumes.empty());
}

TEST_CASE("a deleted object is not written again [R-KUBE-10]", "[reconciler][run]") {
  ObjectWorld world;
  world.store.errors = {make_error(Code::kNotFound, "404")};
  CHECK(world.reconcile() == ReconcileResult::kGone);
}

TEST_CASE("a volume whose object was deleted during the creation is removed [R-CREATE-7]",
          "[reconciler][run]") {
  ObjectWorld world;
  world.store.object.has_metadata = world.store.object.has_finalizer = true;
  SECTION("it is gone") {
    world.store.errors = {make_error(Code::kNotFound, "gone")};
    CHECK(world.reconcile() == ReconcileResult::kGone);
    CHECK(world.service.calls == Calls{"find ssd", "create uid-1 fast", "remove uid-1"});
  }
  SECTION("another has its name") {
    world.store.errors = {make_error(Code::kAborted, "conflict")};
    world.store.newer = world.store.object;
    world.store.newer->uid = "uid-2";
    CHECK(world.reconcile() == ReconcileResult::kSettled);
    CHECK(world.service.volumes.contains("uid-2"));
    CHECK_FALSE(world.service.volumes.contains("uid-1"));
  }
  SECTION("the volume existed before this reconciliation") {
    world.service.volumes["uid-1"] = Bytes{1 << 30};
    world.store.errors = {make_error(Code::kNotFound, "gone")};
    CHECK(world.reconcile() == ReconcileResult::kGone);
    CHECK(world.service.volumes.contains("uid-1"));
  }
}

TEST_CASE("an lvmd that returns OK without an effect is not called in a loop [R-RUN-5]",
          "[reconciler][run]") {
  ObjectWorld world;
  world.finish();
  world.store.object.spec.size = "2Gi";
  world.service.lazy = true;
  CHECK(world.reconcile() == ReconcileResult::kRetry);
  CHECK(world.service.calls.size() <= 12);
}

TEST_CASE("after a stop no step begins and no failure is written [R-CLI-22]", "[reconciler][run]") {
  ObjectWorld world;
  world.stop.request_stop();
  CHECK(world.reconcile(5) == ReconcileResult::kRetry);
  CHECK(world.store.calls.empty());
  CHECK(world.service.calls.empty());
}
