#include <catch2/catch.hpp>
#include <set>

#include "lvmd/server/health_board.hpp"
#include "tests/unit/server/sample_node.hpp"

using namespace lvmd;
using namespace lvmd::server;

namespace {

struct Rig {
  model::ClassCatalog catalog = sample_catalog();
  ReadModel read_model{{"vg0", "vg1"}};
  std::set<std::string, std::less<>> workers{"vg0", "vg1"};
  HealthBoard board{catalog, {"vg0", "vg1"}, read_model, [this](std::string_view name) {
                      return workers.contains(name);
                    }};

  void make_healthy() {
    read_model.apply(
        sample_state("vg0", 1, 10, {sample_volume("pool0", model::LvRole::kThinPool)}));
    read_model.apply(sample_state("vg1", 1, 10));
    board.refresh();
  }

  std::string trouble(std::string_view service) {
    const auto checked = board.check(service);
    REQUIRE(checked);
    return checked->value_or("");
  }
};

}  // namespace

TEST_CASE("all is well when every group has its state, pools and worker [P-HEALTH-2]", "[server]") {
  Rig rig;
  rig.make_healthy();
  for (const auto* const name : {"", "proto.LVService", "proto.VGService", "vg/vg0", "vg/vg1"})
    CHECK(rig.trouble(name).empty());
}

TEST_CASE("a missing group, pool or worker shows in its group and in the whole [P-HEALTH-1]",
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
    CHECK(rig.trouble(name).find(reason) != std::string::npos);
  CHECK(rig.trouble("vg/vg1").empty());
}

TEST_CASE("health of a name that no service has is not found [P-HEALTH-3]", "[server]") {
  Rig rig;
  rig.make_healthy();
  for (const auto* const name : {"vg0", "vg/", "vg/vg2", "other"}) {
    const auto checked = rig.board.check(name);
    REQUIRE_FALSE(checked);
    CHECK(checked.error().code == Code::kNotFound);
  }
}
