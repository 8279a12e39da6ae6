#include <catch2/catch.hpp>
#include <string>
#include <thread>
#include <vector>

#include "lvmd/volumes/service/read_model.hpp"
#include "tests/unit/volumes/service/sample_node.hpp"

using namespace lvmd;
using namespace lvmd::volumes;

TEST_CASE("a group that has not been read is unavailable, and the error says so", "[server]") {
  const ReadModel model{{"vg0"}};
  CHECK(model.find("vg0") == nullptr);
  const auto group = model.group("vg0");
  REQUIRE_FALSE(group);
  CHECK(group.error().code == Code::kUnavailable);
  CHECK(group.error().message.find("vg0") != std::string::npos);
}

TEST_CASE("the state that was observed last wins, in any order of arrival", "[server]") {
  ReadModel model{{"vg0"}};
  model.apply(sample_state("vg0", 20, 7));
  model.apply(sample_state("vg0", 10, 5));
  CHECK(model.find("vg0")->observed_at.nanoseconds == 20);
  // Also with a smaller seqno or without a group.
  model.apply(missing_state("vg0", 30));
  CHECK(model.group("vg0").error().message == "volume group vg0 does not exist");
}

TEST_CASE("a state that a caller holds does not change [P-RUN-7]", "[server]") {
  ReadModel model{{"vg0"}};
  model.apply(sample_state("vg0", 10, 5));
  const auto held = model.group("vg0");
  REQUIRE(held);
  model.apply(sample_state("vg0", 20, 7));
  CHECK((*held)->physical_volumes[0].free.value == 5);
  CHECK((*model.group("vg0"))->physical_volumes[0].free.value == 7);
}

TEST_CASE("the callback runs for each applied state, not for late or foreign ones", "[server]") {
  ReadModel model{{"vg0"}};
  int changes = 0;
  model.on_change([&changes] { ++changes; });
  model.apply(sample_state("vg0", 20, 7));
  CHECK(changes == 1);
  model.apply(sample_state("vg0", 10, 5));
  model.apply(sample_state("other", 30, 5));
  CHECK(changes == 1);
  CHECK(model.find("other") == nullptr);
}

TEST_CASE("the model is complete when every group has a state, also a missing group", "[server]") {
  ReadModel model{{"vg0", "vg1"}};
  model.apply(sample_state("vg0", 1, 1));
  CHECK_FALSE(model.is_complete());
  model.apply(missing_state("vg1", 1));
  CHECK(model.is_complete());
}

TEST_CASE(
    "a reload adds and removes groups; states that callers hold do not change [P-RELOAD-1, "
    "P-RUN-7]",
    "[server]") {
  ReadModel model{{"vg0", "vg1"}};
  model.apply(sample_state("vg0", 1, 1));
  model.apply(sample_state("vg1", 1, 1));
  const auto held = model.group("vg1");
  model.set_volume_groups({"vg0", "vg2"});
  CHECK(model.group("vg0"));
  CHECK(model.find("vg1") == nullptr);
  REQUIRE(held);
  CHECK((*held)->name == "vg1");
  CHECK_FALSE(model.is_complete());
  // A late state of a removed group.
  model.apply(sample_state("vg1", 2, 1));
  CHECK(model.find("vg1") == nullptr);
  model.apply(sample_state("vg2", 2, 1));
  CHECK(model.is_complete());
}

// Two lookups under two locks could find nothing the second time, or the slot of another
// configuration.
TEST_CASE("both parts of a view are from one moment, also during a reload [P-RELOAD-1]",
          "[server]") {
  ReadModel model{{"vg0"}};
  model.hide("vg0", {"new"});
  model.apply(sample_state("vg0", 1, 5));
  const std::jthread reloads{[&model](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      model.set_volume_groups({"vg1"});
      model.set_volume_groups({"vg0", "vg1"});
      model.hide("vg0", {"new"});
      model.apply(sample_state("vg0", 1, 5));
    }
  }};
  int complete = 0;
  int unavailable = 0;
  int wrong = 0;
  // Until both results have occurred often, also on one processor.
  for (int i = 0; i < 50'000 || complete < 100 || unavailable < 100; ++i) {
    const auto view = model.view("vg0");
    if (!view)
      ++unavailable;
    else if (view->hidden != nullptr && view->hidden->contains("new"))
      ++complete;
    else if (++wrong == 100)
      break;
  }
  CHECK(wrong == 0);
}

TEST_CASE("the error for an unavailable group has a reason for programs [P-CODE-20]", "[server]") {
  ReadModel model{{"vg0"}};
  CHECK(model.group("vg0").error().reason == "VOLUME_GROUP_UNAVAILABLE");
  model.apply(missing_state("vg0", 1));
  const Error error = model.group("vg0").error();
  CHECK(error.reason == "VOLUME_GROUP_UNAVAILABLE");
  CHECK(error.metadata == std::vector<std::pair<std::string, std::string>>{{"vg", "vg0"}});
}

TEST_CASE("the last usage of a pool is kept while it reports none [P-POOL-3]", "[server]") {
  ReadModel model{{"vg0"}};
  auto pool = sample_volume("pool0", model::LvRole::kThinPool);
  pool.usage = model::PoolUsage{.data_percent = 12.5, .metadata_percent = 2.5};
  model.apply(sample_state("vg0", 10, 5, {pool}));
  pool.usage.reset();
  model.apply(sample_state("vg0", 20, 5, {pool}));
  model.apply(sample_state("vg0", 30, 5, {pool}));
  CHECK(model.last_usage("vg0", "pool0") ==
        model::PoolUsage{.data_percent = 12.5, .metadata_percent = 2.5});
  CHECK_FALSE(model.last_usage("vg0", "pool1"));
  model.apply(sample_state("vg0", 40, 5));
  CHECK_FALSE(model.last_usage("vg0", "pool0"));
}

TEST_CASE(
    "unmonitored pools stay known after states from readers that don't query them [P-HEALTH-9]",
    "[server]") {
  ReadModel model{{"vg0"}};
  auto state = sample_state("vg0", 10, 5);
  state.group->unmonitored_pools = {"pool0"};
  model.apply(state);
  model.apply(sample_state("vg0", 20, 5));
  CHECK((*model.group("vg0"))->unmonitored_pools == std::vector<std::string>{"pool0"});
  state = sample_state("vg0", 30, 5);
  state.group->unmonitored_pools.emplace();
  model.apply(state);
  model.apply(sample_state("vg0", 40, 5));
  CHECK((*model.group("vg0"))->unmonitored_pools->empty());
}

TEST_CASE("damaged copies stay known after states from readers that don't verify them [P-STATE-9]",
          "[server]") {
  ReadModel model{{"vg0"}};
  auto state = sample_state("vg0", 10, 5);
  state.group->copies.damaged = {"/dev/sda: damaged"};
  model.apply(state);
  model.apply(sample_state("vg0", 20, 5));
  CHECK((*model.group("vg0"))->copies.damaged == std::vector<std::string>{"/dev/sda: damaged"});
  state = sample_state("vg0", 30, 5);
  state.group->copies.damaged.emplace();
  model.apply(state);
  model.apply(sample_state("vg0", 40, 5));
  CHECK((*model.group("vg0"))->copies.damaged->empty());
}

TEST_CASE(
    "a worker's state does not replace its observer's state that the group is unavailable "
    "[P-STATE-1]",
    "[server]") {
  ReadModel model{{"vg0"}};
  CHECK(model.check_available("vg0"));
  model.apply(missing_state("vg0", 10));
  model.apply_from_worker(sample_state("vg0", 20, 7));
  CHECK_FALSE(model.group("vg0"));
  const auto refused = model.check_available("vg0");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "volume group vg0 does not exist");
  model.apply(sample_state("vg0", 30, 7));
  CHECK(model.check_available("vg0"));
  // A worker's own error is no reason to refuse the next change, which reads the group again.
  model.apply_from_worker(missing_state("vg0", 40));
  CHECK_FALSE(model.group("vg0"));
  CHECK(model.check_available("vg0"));
}
