#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "lvmd/volumes/service/health_board.hpp"
#include "tests/unit/volumes/service/sample_node.hpp"

using namespace lvmd;
using namespace lvmd::volumes;
using namespace lvmd::server;

namespace {

struct Rig {
  model::ClassCatalog catalog = sample_catalog();
  ReadModel read_model{{"vg0", "vg1"}};
  std::set<std::string, std::less<>> workers{"vg0", "vg1"};
  bool observer = true;
  std::map<std::string, Step, std::less<>> observer_steps;
  std::map<std::string, Step, std::less<>> worker_steps;
  HealthBoard board{
      read_model,
      {.worker_runs = [this](std::string_view name) { return workers.contains(name); },
       .observer_runs = [this](std::string_view /*name*/) { return observer; },
       .observer_step = [this](std::string_view name) { return find(observer_steps, name); },
       .worker_step = [this](std::string_view name) { return find(worker_steps, name); }}};

  static std::optional<Step> find(const std::map<std::string, Step, std::less<>>& steps,
                                  std::string_view name) {
    const auto found = steps.find(name);
    return found == steps.end() ? std::nullopt : std::optional{found->second};
  }

  Rig() { configure({"vg0", "vg1"}); }

  void configure(const std::vector<std::string>& groups) {
    board.configure(std::make_shared<const model::ClassCatalog>(catalog), groups);
  }

  void make_healthy() {
    read_model.apply(
        sample_state("vg0", 1, 10, {sample_volume("pool0", model::LvRole::kThinPool)}));
    read_model.apply(sample_state("vg1", 1, 10));
    board.refresh();
  }

  HealthReport report(std::string_view service) const {
    const auto checked = board.check(service);
    REQUIRE(checked);
    return *checked;
  }

  std::string problem(std::string_view service) const {
    const HealthReport found = report(service);
    return found.serves ? "" : found.reason;
  }
};

class RecordingSubscriber final : public Broadcast<HealthMessage>::Subscriber {
 public:
  std::vector<HealthMessage::ServingStatus> statuses;
  bool ended = false;

 private:
  void offer(std::shared_ptr<const HealthMessage> message) override {
    statuses.push_back(message->status());
  }
  void end(const Error& /*reason*/) override { ended = true; }
};

}  // namespace

TEST_CASE("health is SERVING when every group has its state, pools and worker [P-HEALTH-2]",
          "[server]") {
  Rig rig;
  rig.make_healthy();
  for (const auto* const name : {"", "proto.LVService", "proto.VGService", "vg/vg0", "vg/vg1"})
    CHECK(rig.problem(name).empty());
}

TEST_CASE(
    "a missing group, pool or worker makes its group and the whole service unhealthy [P-HEALTH-1]",
    "[server]") {
  Rig rig;
  rig.make_healthy();
  std::string reason;
  SECTION("group") {
    rig.read_model.apply(missing_state("vg0", 2));
    reason = "does not exist";
  }
  SECTION("pool") {
    rig.read_model.apply(sample_state("vg0", 2, 10));
    reason = "pool0";
  }
  SECTION("worker") {
    rig.workers.erase("vg0");
    reason = "worker";
  }
  rig.board.refresh();
  for (const auto* const name : {"vg/vg0", "", "proto.LVService", "proto.VGService"})
    CHECK(rig.problem(name).find(reason) != std::string::npos);
  CHECK(rig.problem("vg/vg1").empty());
}

TEST_CASE("health of an unknown service name is NotFound [P-HEALTH-3]", "[server]") {
  Rig rig;
  rig.make_healthy();
  for (const auto* const name : {"vg0", "vg/", "vg/vg2", "other"}) {
    const auto checked = rig.board.check(name);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().code == Code::kNotFound);
  }
}

TEST_CASE("volumes of a removed class are reported by a group that serves [P-RELOAD-2]",
          "[server]") {
  Rig rig;
  auto orphan = sample_volume("orphan", model::LvRole::kPlain);
  orphan.tags = {"lvmd.v1:class=gone", "lvmd.v1:size=4194304"};
  rig.read_model.apply(
      sample_state("vg0", 1, 10, {orphan, sample_volume("pool0", model::LvRole::kThinPool)}));
  rig.read_model.apply(sample_state("vg1", 1, 10));
  rig.board.refresh();
  for (const auto* const name : {"vg/vg0", "", "proto.LVService"}) {
    CAPTURE(name);
    const HealthReport report = rig.report(name);
    CHECK(report.serves);
    CHECK(report.reason.find("1 of device class gone") != std::string::npos);
  }
  CHECK(rig.report("vg/vg1").reason.empty());
}

TEST_CASE("without an observer health reports the age of the state [P-HEALTH-6]", "[server]") {
  Rig rig;
  rig.make_healthy();
  CHECK(rig.report("vg/vg1").reason.empty());
  rig.observer = false;
  const HealthReport report = rig.report("vg/vg1");
  CHECK(report.serves);
  CHECK(report.reason.find("the state of volume group vg1 is ") != std::string::npos);
}

TEST_CASE("health reports the age of a state from LVM's report [P-STATE-6, P-HEALTH-6]",
          "[server]") {
  Rig rig;
  rig.make_healthy();
  model::VgState state = sample_state("vg1", 1, 10);
  state.group->source = model::StateSource::kReport;
  rig.read_model.apply(std::move(state));
  const HealthReport report = rig.report("vg/vg1");
  CHECK(report.serves);
  CHECK_THAT(report.reason, Catch::StartsWith("this layout is read from LVM's report") &&
                                Catch::Contains("the state of volume group vg1 is "));
  CHECK(rig.report("vg/vg0").reason.empty());
}

TEST_CASE("a reload changes the groups that have a health service [P-RELOAD-1, P-HEALTH-3]",
          "[server]") {
  Rig rig;
  rig.make_healthy();
  RecordingSubscriber of_gone;
  RecordingSubscriber of_unknown;
  rig.board.statuses("vg/vg1").add(of_gone);
  rig.board.statuses("vg/vg2").add(of_unknown);
  rig.catalog.device_classes.back().volume_group = "vg2";
  rig.read_model.set_volume_groups({"vg0", "vg2"});
  rig.read_model.apply(sample_state("vg2", 1, 10));
  rig.workers.insert("vg2");
  rig.configure({"vg0", "vg2"});
  rig.board.refresh();

  CHECK_FALSE(rig.board.check("vg/vg1"));
  CHECK(rig.problem("vg/vg2").empty());
  CHECK(rig.problem("").empty());
  CHECK(of_gone.statuses == std::vector{HealthMessage::SERVING, HealthMessage::SERVICE_UNKNOWN});
  // A new call finds the service.
  CHECK(of_unknown.ended);
  RecordingSubscriber again;
  rig.board.statuses("vg/vg2").add(again);
  CHECK(again.statuses == std::vector{HealthMessage::SERVING});
  rig.board.statuses("vg/vg1").remove(of_gone);
  rig.board.statuses("vg/vg2").remove(again);
}

namespace {

// A step that began `ago`.
Step step(const std::string& what, std::chrono::seconds ago,
          std::optional<std::chrono::seconds> limit = std::nullopt) {
  return {.what = what,
          .since = {monotonic_now().nanoseconds - std::chrono::nanoseconds{ago}.count()},
          .limit = limit};
}

}  // namespace

TEST_CASE("a group whose disk does not respond does not serve, and other groups do [P-HEALTH-7]",
          "[server]") {
  Rig rig;
  rig.make_healthy();
  rig.observer_steps["vg0"] =
      step("read /dev/sdb", std::chrono::seconds{5}, std::chrono::seconds{8});
  rig.board.refresh();
  CHECK(rig.problem("vg/vg0").empty());
  rig.observer_steps["vg0"] =
      step("read /dev/sdb", std::chrono::seconds{9}, std::chrono::seconds{8});
  rig.board.refresh();
  CHECK_THAT(rig.problem("vg/vg0"), Catch::Contains("read /dev/sdb"));
  CHECK(rig.problem("vg/vg1").empty());
  CHECK_FALSE(rig.problem("").empty());
  rig.observer_steps.clear();
  rig.board.refresh();
  CHECK(rig.problem("vg/vg0").empty());
}

TEST_CASE("a long command is reported, and its group serves [P-HEALTH-8]", "[server]") {
  Rig rig;
  rig.make_healthy();
  rig.worker_steps["vg0"] = step("lvremove vg0/a", std::chrono::seconds{90});
  rig.board.refresh();
  const HealthReport report = rig.report("vg/vg0");
  CHECK(report.serves);
  CHECK_THAT(report.reason, Catch::Contains("\"lvremove vg0/a\" has been running for 90 s"));
}

TEST_CASE("a group does not serve while its worker waits for another process [P-HEALTH-7]",
          "[server]") {
  Rig rig;
  rig.make_healthy();
  rig.worker_steps["vg0"] =
      step("wait: the worker with pid 7", std::chrono::seconds{6}, std::chrono::seconds{5});
  rig.board.refresh();
  CHECK_THAT(rig.problem("vg/vg0"), Catch::Contains("the worker with pid 7"));
}

TEST_CASE("a group with a missing PV or a failed pool does not serve [P-HEALTH-1, P-POOL-1]",
          "[server]") {
  Rig rig;
  rig.make_healthy();
  auto pool = sample_volume("pool0", model::LvRole::kThinPool);
  std::string reason;
  SECTION("missing PV") {
    auto state = sample_state("vg0", 2, 10, {pool});
    state.group->physical_volumes[0].missing = true;
    rig.read_model.apply(std::move(state));
    reason = "lacks the PVs pv";
  }
  SECTION("failed pool") {
    pool.pool_condition = model::PoolCondition{.kernel = model::PoolHealth::kFailed};
    rig.read_model.apply(sample_state("vg0", 2, 10, {pool}));
    reason = "thin pool vg0/pool0 has failed";
  }
  rig.board.refresh();
  CHECK(rig.problem("vg/vg0").find(reason) != std::string::npos);
  CHECK(rig.problem("").find(reason) != std::string::npos);
  CHECK(rig.problem("vg/vg1").empty());
}

TEST_CASE("warnings about a group that serves are reported [P-HEALTH-9, P-STATE-9]", "[server]") {
  Rig rig;
  auto pool = sample_volume("pool0", model::LvRole::kThinPool);
  pool.usage = model::PoolUsage{};
  pool.pool_condition = model::PoolCondition{.kernel = model::PoolHealth::kOutOfDataSpace};
  auto degraded = sample_volume("r1", model::LvRole::kPlain);
  degraded.redundancy = model::Redundancy::kDegraded;
  auto syncing = sample_volume("r2", model::LvRole::kPlain);
  syncing.redundancy = model::Redundancy::kOutOfSync;
  auto state = sample_state("vg0", 2, 10, {pool, degraded, syncing});
  state.group->copies = {
      .longest_text = {1000}, .free = {20}, .damaged = std::vector<std::string>{"/dev/sdb: torn"}};
  state.group->unmonitored_pools = {"pool0"};
  rig.read_model.apply(std::move(state));
  rig.read_model.apply(sample_state("vg1", 1, 10));
  rig.board.refresh();
  for (const auto* const name : {"vg/vg0", ""}) {
    const HealthReport report = rig.report(name);
    CHECK(report.serves);
    for (const auto* const text :
         {"degraded volumes, which another failure may destroy: r1", "not in sync yet: r2",
          "out of data space", "dmeventd does not monitor thin pool vg0/pool0",
          "metadata area of volume group vg0 is nearly full: 20 of 1000 bytes",
          "damaged copy of its metadata (/dev/sdb: torn)", "vgck --updatemetadata vg0"})
      CHECK_THAT(report.reason, Catch::Contains(text));
  }
  CHECK(rig.report("vg/vg1").reason.empty());
}
