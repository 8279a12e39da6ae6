#include <catch2/catch.hpp>
#include <string>

#include "reconciler/app/metrics.hpp"
#include "reconciler/app/object_tracker.hpp"
#include "reconciler/app/pages.hpp"

using namespace lvmd;
using namespace lvmd::reconciler;

TEST_CASE("readyz needs the objects and lvmd's capacity, healthz needs nothing [R-SERVE-3]",
          "[reconciler][serve]") {
  bool store = false;
  bool daemon = false;
  const http::Pages made = make_pages({.is_store_ready = [&] { return store; },
                                       .is_lvmd_connected = [&] { return daemon; },
                                       .metrics = [] { return std::string{"x 1\n"}; },
                                       .orphans = [] { return std::string{"y\n"}; }});
  const auto page = [&](const char* path) { return made.at(path)(); };
  CHECK(page("/healthz").is_good);
  CHECK_FALSE(page("/readyz").is_good);
  CHECK(page("/readyz").text.contains("lvmd does not report its capacity"));
  store = true;
  CHECK_FALSE(page("/readyz").is_good);
  daemon = true;
  CHECK(page("/readyz").is_good);
  CHECK(page("/metrics").text == "x 1\n");
  CHECK(page("/orphans").text == "y\n");
  CHECK(page("/ledger").text == "y\n");
}

TEST_CASE("metrics have controller-runtime's names, and objects by phase [R-SERVE-4]",
          "[reconciler][serve]") {
  using namespace lvmd::reconciler;
  lvmd::reconciler::Metrics metrics;
  metrics.reconciled(true, std::chrono::milliseconds{7});
  metrics.reconciled(false, std::chrono::milliseconds{7});
  metrics.reconciled(false, std::chrono::milliseconds{7});
  metrics.volume_provisioned(std::chrono::milliseconds{70});
  const std::string text = metrics.text({{Phase::kReady, 3}, {Phase::kFailed, 0}}, {},
                                        OrphanDetector::Counts{2, 1}, true, false);
  CHECK(
      text.contains("controller_runtime_reconcile_total{controller=\"logicalvolume\","
                    "result=\"error\"} 2"));
  CHECK(
      text.contains("controller_runtime_reconcile_time_seconds_count"
                    "{controller=\"logicalvolume\"} 3"));
  CHECK(text.contains("lvmd_reconciler_volumes{phase=\"Ready\"} 3\n"));
  CHECK(text.contains("lvmd_reconciler_volumes{phase=\"Failed\"} 0\n"));
  CHECK(text.contains("lvmd_reconciler_provisioning_seconds_bucket{le=\"0.1\"} 1\n"));
  CHECK(text.contains("lvmd_reconciler_orphaned_volumes 2\n"));
  CHECK(text.contains("lvmd_reconciler_missing_volumes 1\n"));
  CHECK_FALSE(metrics.text({}, {}, {}, true, true).contains("orphaned"));
  CHECK(text.contains("lvmd_reconciler_store_ready 1\n"));
  CHECK(text.contains("lvmd_reconciler_lvmd_connected 0\n"));
}

TEST_CASE("objects are counted by csiStatus while lvmd has a CSI driver [R-CSI-8]",
          "[reconciler][serve]") {
  using namespace lvmd::reconciler;
  ObjectTracker tracker;
  LogicalVolume object{.key = {.name = "a"}};
  object.status.csi = CsiStatus{.state = "Published"};
  tracker.note({.seen = object});
  object.key.name = "b";
  tracker.note({.seen = object});
  object.key.name = "c";
  object.status.csi = CsiStatus{.state = "of another writer"};
  tracker.note({.seen = object});
  const lvmd::reconciler::Metrics metrics;
  const std::string text = metrics.text({}, tracker.csi_states(), {}, true, true);
  CHECK(text.contains("lvmd_reconciler_csi_volumes{state=\"Published\"} 2\n"));
  CHECK(text.contains("lvmd_reconciler_csi_volumes{state=\"Resized\"} 0\n"));
  CHECK_FALSE(text.contains("another writer"));
  CHECK_FALSE(metrics.text({}, {}, {}, true, true).contains("csi"));
}

TEST_CASE("an object's phase follows from its status [R-SERVE-4]", "[reconciler][plan]") {
  using namespace lvmd::reconciler;
  LogicalVolume volume;
  CHECK(phase_of(volume) == Phase::kPending);
  volume.status.message = "no space";
  CHECK(phase_of(volume) == Phase::kFailed);
  volume.status = {.volume_id = "uid"};
  CHECK(phase_of(volume) == Phase::kReady);
  volume.removal_wanted = true;
  CHECK(phase_of(volume) == Phase::kDeleting);
}
