// The CSI status beside the steps of a reconciliation.
#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/reconciler/app/object_world.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;
using namespace lvmd::reconciler::test;

namespace {

// lvmd has a CSI driver.
struct CsiWorld : ObjectWorld {
  explicit CsiWorld(const VolumeUse& use = {}) { report(use); }

  void report(const VolumeUse& use) {
    uses.set({.csi_driver = "topolvm.io", .volumes = {{"uid-1", use}}});
  }
  [[nodiscard]] std::string state() const {
    return store.object.status.csi ? store.object.status.csi->state : "none";
  }
};

using Events = std::vector<std::string>;

}  // namespace

TEST_CASE("a creation is Creating, then Created in the write of the volume [R-CSI-5, R-CSI-6]",
          "[reconciler][run]") {
  CsiWorld world;
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.store.calls == Calls{"mark", "status", "status"});
  CHECK(world.store.states == Events{"Creating", "Created"});
  CHECK(world.store.events == Events{"VolumeRequested", "Created", "VolumeCreated"});
  world.finish();
  CHECK(world.store.calls.empty());
}

TEST_CASE("without a CSI driver no CSI status is written [R-CSI-2]", "[reconciler][run]") {
  ObjectWorld world;
  SECTION("lvmd reports nothing") {}
  SECTION("lvmd has no driver") { world.uses.set({}); }
  world.finish();
  CHECK(world.store.states == Events{"none"});
  CHECK(world.store.events == Events{"Created"});
}

TEST_CASE("a change of the use is written, and nothing else is done [R-CSI-5]",
          "[reconciler][run]") {
  CsiWorld world;
  world.finish();
  world.report({.staged = true, .publications = 1});
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.store.calls == Calls{"status"});
  CHECK(world.service.calls.empty());
  CHECK(world.store.object.status.csi == CsiStatus{.state = "Published", .publications = 1});
  CHECK(world.store.object.status.volume_id == "uid-1");
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.store.calls.empty());
}

TEST_CASE("Resizing is written before lvmd is called, Resized with the new size [R-CSI-5]",
          "[reconciler][run]") {
  CsiWorld world{{.staged = true, .publications = 1}};
  world.finish();
  world.store.states.clear();
  world.store.object.spec.size = "2Gi";
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.store.states == Events{"Resizing", "Resized"});
  CHECK(world.store.object.status.current_size == Bytes{2147483648});
}

TEST_CASE("Removing and Removed are written before the object is released [R-CSI-5, R-CSI-7]",
          "[reconciler][run]") {
  CsiWorld world;
  world.finish();
  world.store.states.clear();
  world.store.object.removal_wanted = true;
  CHECK(world.reconcile() == ReconcileResult::kGone);
  CHECK(world.store.calls == Calls{"begin removal", "status", "status", "release"});
  CHECK(world.store.states == Events{"Removing", "Removed"});
}

TEST_CASE("a step does not wait for the CSI status, which is written later [R-CSI-1, R-CSI-5]",
          "[reconciler][run]") {
  CsiWorld world;
  world.finish();
  world.store.object.spec.size = "2Gi";
  // The write of Resizing.
  world.store.status_errors.push_back(make_error(Code::kUnavailable, "API server away"));
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.service.calls == Calls{"resize uid-1"});
  CHECK(world.store.object.status.current_size == Bytes{2147483648});
  CHECK(world.state() == "Created");
}

TEST_CASE("a CSI status that cannot be written is retried [R-CSI-5]", "[reconciler][run]") {
  CsiWorld world;
  world.finish();
  world.report({.staged = true});
  world.store.status_errors.push_back(make_error(Code::kUnavailable, "API server away"));
  CHECK(world.reconcile() == ReconcileResult::kRetry);
  CHECK(world.state() == "Created");
  CHECK(world.reconcile(1) == ReconcileResult::kSettled);
  CHECK(world.state() == "VolumeReady");
}

TEST_CASE("after a conflict the CSI status is written to the newer object at once [R-FAIL-7]",
          "[reconciler][run]") {
  CsiWorld world;
  world.finish();
  world.report({.staged = true});
  world.store.status_errors.push_back(make_error(Code::kAborted, "conflict"));
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.store.calls == Calls{"status", "reread", "status"});
  CHECK(world.state() == "VolumeReady");
}

TEST_CASE("a refused growth is Failed in the write of its cause, until it succeeds [R-CSI-4]",
          "[reconciler][run]") {
  CsiWorld world;
  world.finish();
  world.store.object.spec.size = "2Gi";
  world.service.error = make_error(Code::kResourceExhausted, "no space");
  CHECK(world.reconcile() == ReconcileResult::kRetry);
  CHECK(world.state() == "Failed");
  CHECK(world.store.object.status.csi->failure == CsiFailure{.call = "ControllerExpandVolume",
                                                             .reason = "ResourceExhausted",
                                                             .message = "no space"});
  world.store.states.clear();
  CHECK(world.reconcile(1) == ReconcileResult::kRetry);
  CHECK(world.store.states.empty());
  world.service.error.reset();
  CHECK(world.reconcile(2) == ReconcileResult::kSettled);
  CHECK(world.store.states == Events{"Created"});
  CHECK_FALSE(world.store.object.status.csi->failure);
}

TEST_CASE("a definition without the fields causes no endless writes [R-KUBE-13]",
          "[reconciler][run]") {
  CsiWorld world;
  world.store.drops_newer_fields = true;
  CHECK(world.reconcile() == ReconcileResult::kSettled);
  CHECK(world.store.calls == Calls{"mark", "status", "status"});
}

TEST_CASE("a dry run writes no CSI status [R-CLI-10]", "[reconciler][run]") {
  CsiWorld world;
  world.finish();
  world.report({.staged = true});
  world.store.calls.clear();
  Reconciliation reconciliation{world.store,
                                world.service,
                                {.seen = world.store.object},
                                world.stop.get_token(),
                                Mode::kDryRun,
                                {},
                                &world.uses};
  CHECK(reconciliation.run() == ReconcileResult::kSettled);
  CHECK(world.store.calls.empty());
}
