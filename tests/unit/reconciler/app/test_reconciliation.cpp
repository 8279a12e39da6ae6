// The reconciliation of one object: creation, growth, removal, owner and events.
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "lvmd/base/reason.hpp"
#include "reconciler/app/reconciliation.hpp"
#include "tests/unit/reconciler/app/object_world.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

TEST_CASE("a new object gets its volume in one reconciliation [R-CREATE-1..4]",
          "[reconciler][run]") {
  ObjectWorld world;
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.store.calls == Calls{"mark", "status"});
  CHECK(world.service.calls == Calls{"find ssd", "create uid-1 fast"});
  CHECK(world.store.object.status.volume_id == "uid-1");
  CHECK(world.store.object.status.current_size == Bytes{1073741824});
}

TEST_CASE("a settled object causes no call [R-RUN-3]", "[reconciler][run]") {
  ObjectWorld world;
  world.finish();
  CHECK(world.store.calls.empty());
  CHECK(world.service.calls.empty());
}

TEST_CASE("a volume that a crash left without a status is adopted, not created again [R-CREATE-2]",
          "[reconciler][run]") {
  ObjectWorld world;
  world.service.volumes["uid-1"] = {1077936128};
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.service.calls == Calls{"find ssd"});
  CHECK(world.store.object.status.current_size == Bytes{1077936128});
}

TEST_CASE("a larger size grows the volume [R-GROW-1, R-GROW-2]", "[reconciler][run]") {
  ObjectWorld world;
  world.finish();
  world.store.object.spec.size = "2Gi";
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.service.calls == Calls{"resize uid-1"});
  CHECK(world.store.object.status.current_size == Bytes{2147483648});
}

TEST_CASE("an object with an unknown class gets no finalizer [R-REC-2]", "[reconciler][run]") {
  ObjectWorld world;
  world.service.error = make_error(Code::kNotFound, "device class not found: ssd");
  CHECK(world.reconcile() == ReconcileResult::kRefused);
  CHECK(world.store.calls == Calls{"status"});
  CHECK(world.store.object.status.code == 5);
  CHECK_FALSE(world.store.object.has_finalizer);
}

TEST_CASE("the versions that a reconciliation overwrote are known afterwards",
          "[reconciler][run]") {
  ObjectWorld world;
  world.store.object.resource_version = "1";
  Reconciliation reconciliation{
      world.store, world.service, {.seen = world.store.object}, world.stop.get_token()};
  REQUIRE(reconciliation.run() == ReconcileResult::kSettled);
  CHECK(reconciliation.progress().superseded == std::set<std::string>{"1", "1m"});
  CHECK(reconciliation.progress().seen.resource_version == "1ms");
}

TEST_CASE("a removal removes the volume, then the finalizer [R-DELETE-2]", "[reconciler][run]") {
  ObjectWorld world;
  world.finish();
  world.store.object.removal_wanted = true;
  SECTION("the volume is there") {}
  SECTION("the volume is gone already") { world.service.volumes.clear(); }
  CHECK(world.reconcile() == ReconcileResult::kGone);
  CHECK(world.store.calls == Calls{"begin removal", "release"});
  CHECK(world.service.calls == Calls{"remove uid-1"});
  CHECK(world.service.volumes.empty());
}

TEST_CASE("a volume whose class is in another group now is removed there [R-DELETE-2]",
          "[reconciler][run]") {
  ObjectWorld world;
  world.finish();
  world.store.object.removal_wanted = true;
  world.service.class_of["uid-1"] = "old";
  CHECK(world.reconcile() == ReconcileResult::kGone);
  CHECK(world.service.calls == Calls{"remove uid-1", "remove uid-1"});
  CHECK(world.service.volumes.empty());
}

TEST_CASE("a removal waits for every class that may have the volume [R-DELETE-2]",
          "[reconciler][run]") {
  ObjectWorld world;
  world.finish();
  world.store.object.removal_wanted = true;
  world.service.volumes.clear();
  world.service.unusable = {{.name = "hdd", .problem = "vg1 is not there"}};
  CHECK(world.reconcile(1) == ReconcileResult::kRetry);
  CHECK(world.store.exists);
  CHECK(world.condition("Ready").reason == "ClassNotUsable");
  CHECK(world.condition("Ready").message.contains("vg1 is not there"));
  world.service.unusable.clear();
  CHECK(world.reconcile(2) == ReconcileResult::kGone);
}

TEST_CASE("NOT_FOUND of an unknown class keeps the object [R-DELETE-3]", "[reconciler][run]") {
  ObjectWorld world;
  world.finish();
  world.store.object.removal_wanted = true;
  world.service.error =
      make_error(Code::kNotFound, "no class").because(reason::kUnknownDeviceClass);
  CHECK(world.reconcile() == ReconcileResult::kRetry);
  CHECK(world.store.exists);
}

TEST_CASE("a removal that lvmd refuses keeps the object [R-DELETE-3]", "[reconciler][run]") {
  ObjectWorld world;
  world.finish();
  world.store.object.removal_wanted = true;
  world.service.error = make_error(Code::kFailedPrecondition, "unknown device class \"ssd\"");
  CHECK(world.reconcile() == ReconcileResult::kRetry);
  CHECK(world.store.calls == Calls{"begin removal", "status"});
  CHECK(world.store.object.status.code == 9);
  CHECK(world.store.exists);
}

TEST_CASE("a snapshot is made of the source's volume [R-SRC-3]", "[reconciler][run]") {
  ObjectWorld world;
  world.store.object.spec.source = "origin";
  world.store.object.spec.access_type = "ro";
  LogicalVolume source;
  source.status.volume_id = "uid-origin";
  world.store.others[{.name = "origin"}] = source;
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.store.calls == Calls{"read origin", "mark", "status"});
  CHECK(world.service.calls == Calls{"find ssd", "snapshot uid-1 of uid-origin ro"});
  CHECK(world.store.object.status.volume_id == "uid-1");
}

TEST_CASE("a missing source is reported and retried [R-SRC-4]", "[reconciler][run]") {
  ObjectWorld world;
  world.store.object.spec.source = "origin";
  world.store.object.spec.access_type = "rw";
  CHECK(world.reconcile() == ReconcileResult::kRefused);
  CHECK(world.store.object.status.code == 5);
  CHECK(world.condition("Ready").reason == "NoSourceObject");
  CHECK(world.service.volumes.empty());
  CHECK_FALSE(world.store.object.has_finalizer);
  world.store.others[{.name = "origin"}] = LogicalVolume{};
  CHECK(world.reconcile(1) == ReconcileResult::kRetry);
  CHECK(world.condition("Ready").reason == "SourceNotReady");
  world.store.others[{.name = "origin"}].status.volume_id = "uid-origin";
  CHECK(world.reconcile(2) == ReconcileResult::kSettled);
  CHECK(world.store.object.status.code == 0);
}

TEST_CASE("an older object's volume is created in the class of its volume group [R-OBJ-17]",
          "[reconciler][run]") {
  ObjectWorld world;
  world.store.object.spec.device_class.clear();
  world.store.object.spec.vg_name = "vg1";
  world.service.groups = {{"hdd", "vg0", false}, {"ssd", "vg1", false}};
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.service.calls == Calls{"classes uid-1", "find ssd", "create uid-1 fast"});
  CHECK(world.store.finalizer_class == "ssd");
  world.store.object.removal_wanted = true;
  CHECK(world.reconcile() == ReconcileResult::kGone);
  CHECK(world.service.calls == Calls{"classes uid-1", "remove uid-1"});
}

TEST_CASE("an abandoned object is deleted, and its volume stays without an owner [R-DELETE-5]",
          "[reconciler][run]") {
  ObjectWorld world;
  world.finish();
  world.store.object.removal_wanted = true;
  world.store.object.annotations["lvmd.io/abandon"] = "true";
  CHECK(world.reconcile() == ReconcileResult::kGone);
  CHECK(world.store.calls == Calls{"release"});
  CHECK(world.service.calls == Calls{"owner uid-1 "});
  CHECK(world.service.volumes.contains("uid-1"));
  CHECK(world.service.owners.at("uid-1").empty());
  CHECK(world.store.events == Calls{"Created", "Abandoned"});
}

TEST_CASE("an object is not abandoned while its volume can still have its owner [R-DELETE-5]",
          "[reconciler][run]") {
  ObjectWorld world;
  world.finish();
  world.store.object.removal_wanted = true;
  world.store.object.annotations["lvmd.io/abandon"] = "true";
  SECTION("lvmd can't clear it") {
    world.service.error = make_error(Code::kUnavailable, "group is locked");
    CHECK(world.reconcile(1) == ReconcileResult::kRetry);
    CHECK(world.store.exists);
    world.service.error.reset();
  }
  SECTION("its group can't be asked") {
    world.service.volumes.clear();
    world.service.unusable = {{.name = "hdd", .problem = "vg1 is not there"}};
    CHECK(world.reconcile(1) == ReconcileResult::kRetry);
    CHECK(world.store.exists);
    world.service.unusable.clear();
  }
  SECTION("an lvmd that knows no owners") { world.service.knows_owners = false; }
  CHECK(world.reconcile(2) == ReconcileResult::kGone);
}

TEST_CASE("a volume is created with this store's owner mark [R-LEDG-7]", "[reconciler][run]") {
  ObjectWorld world;
  SECTION("a volume") {}
  SECTION("a snapshot") {
    world.store.object.spec.source = "origin";
    world.store.object.spec.access_type = "ro";
    LogicalVolume origin = world.store.object;
    origin.key.name = origin.uid = origin.status.volume_id = "origin";
    origin.status.current_size = Bytes{1 << 20};
    world.store.others[origin.key] = origin;
  }
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.service.owners.at("uid-1") == "kube/node-1");
}

TEST_CASE("a default class that moves between two reconciliations leads to one volume [R-CREATE-8]",
          "[reconciler][run]") {
  ObjectWorld world;
  world.store.object.spec.device_class.clear();
  world.store.keeps_class = true;
  world.service.default_name = "ssd";
  world.store.status_errors = {make_error(Code::kUnavailable, "the API server is away")};
  CHECK(world.reconcile() == ReconcileResult::kRetry);
  CHECK(world.store.finalizer_class == "ssd");
  CHECK(world.service.calls == Calls{"find ssd", "create uid-1 fast"});
  world.service.default_name = "hdd";
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.service.calls == Calls{"find ssd"});
}

TEST_CASE("the events of an object from creation to deletion [R-EVENT-1]", "[reconciler][run]") {
  ObjectWorld world;
  world.finish();
  world.store.object.spec.size = "2Gi";
  REQUIRE(world.reconcile() == ReconcileResult::kSettled);
  world.store.object.removal_wanted = true;
  world.service.error = make_error(Code::kFailedPrecondition, "in use");
  REQUIRE(world.reconcile() == ReconcileResult::kRetry);
  REQUIRE(world.reconcile(1) == ReconcileResult::kRetry);
  world.service.error.reset();
  REQUIRE(world.reconcile(2) == ReconcileResult::kGone);
  CHECK(world.store.events == Calls{"Created", "Resized", "DeleteFailed", "Deleted"});
}

TEST_CASE("a dry run reads and changes nothing [R-CLI-10]", "[reconciler][run]") {
  ObjectWorld world;
  const auto dry_run = [&] {
    world.store.calls.clear();
    world.service.calls.clear();
    return Reconciliation{world.store,
                          world.service,
                          {.seen = world.store.object},
                          world.stop.get_token(),
                          Mode::kDryRun}
        .run();
  };
  SECTION("what would be made") {
    CHECK(dry_run() == ReconcileResult::kSettled);
    CHECK(world.service.calls == Calls{"find ssd"});
  }
  SECTION("what would be removed") {
    world.finish();
    world.store.object.removal_wanted = true;
    CHECK(dry_run() == ReconcileResult::kSettled);
    CHECK(world.service.calls.empty());
  }
  SECTION("what fails") {
    world.service.error = make_error(Code::kNotFound, "no class");
    CHECK(dry_run() == ReconcileResult::kRefused);
  }
  CHECK(world.store.calls.empty());
}
