#include <catch2/catch.hpp>

#include "lvmd/volumes/service/state_metrics.hpp"
#include "tests/unit/server/metrics_text.hpp"
#include "tests/unit/volumes/service/sample_node.hpp"

using namespace lvmd;
using namespace lvmd::volumes;
using namespace std::chrono_literals;
using server::has_line;
using server::text_of;

TEST_CASE(
    "metrics of groups, classes and pools have TopoLVM's and lvmd's names [P-METRIC-2, P-METRIC-3]",
    "[server]") {
  ReadModel model{{"vg0", "vg1"}};
  auto pool = sample_volume("pool0", model::LvRole::kThinPool);
  pool.usage = model::PoolUsage{.data_percent = 12.5, .metadata_percent = 2.5};
  model.apply(sample_state("vg0", 1'000'000'000, 40,
                           {pool, sample_volume("x_tdata", model::LvRole::kInternal)}));
  model.apply(missing_state("vg1", 1'000'000'000));
  const std::string text =
      text_of(state_metrics(sample_catalog(), model,
                            {{.volume_group = "vg0", .queued_changes = 2}, {.volume_group = "vg1"}},
                            "node-1", {3'500'000'000}));
  INFO(text);
  for (const char* const line : {
           R"(topolvm_volumegroup_size_bytes{node="node-1",device_class="ssd"} 419430400)",
           R"(topolvm_volumegroup_available_bytes{node="node-1",device_class="ssd"} 167772160)",
           R"(topolvm_thinpool_data_percent{node="node-1",device_class="thin"} 12.5)",
           R"(topolvm_thinpool_metadata_percent{node="node-1",device_class="thin"} 2.5)",
           R"(topolvm_thinpool_size_bytes{node="node-1",device_class="thin"} 41943040)",
           R"(lvmd_volume_group_usable{volume_group="vg0"} 1)",
           R"(lvmd_volume_group_usable{volume_group="vg1"} 0)",
           R"(lvmd_volume_group_size_bytes{volume_group="vg0"} 419430400)",
           R"(lvmd_volume_group_free_bytes{volume_group="vg0"} 167772160)",
           R"(lvmd_volume_group_logical_volumes{volume_group="vg0"} 1)",
           R"(lvmd_state_age_seconds{volume_group="vg0"} 2.5)",
           R"(lvmd_changes_queued{volume_group="vg0"} 2)",
       }) {
    CAPTURE(line);
    CHECK(has_line(text, line));
  }
  CHECK(text.find(R"(lvmd_volume_group_size_bytes{volume_group="vg1")") == std::string::npos);
}

TEST_CASE("a failed pool keeps its last usage and has a state [P-POOL-3, P-METRIC-2, P-METRIC-9]",
          "[server]") {
  ReadModel model{{"vg0", "vg1"}};
  auto pool = sample_volume("pool0", model::LvRole::kThinPool);
  pool.pool_condition = model::PoolCondition{};
  pool.usage = model::PoolUsage{.data_percent = 12.5, .metadata_percent = 2.5};
  model.apply(sample_state("vg0", 1, 40, {pool}));
  pool.pool_condition->kernel = model::PoolHealth::kFailed;
  pool.usage.reset();
  model.apply(sample_state("vg0", 2, 40, {pool}));
  const std::string text =
      text_of(state_metrics(sample_catalog(), model, {{.volume_group = "vg0"}}, "node-1", {3}));
  INFO(text);
  for (const char* const line : {
           R"(topolvm_thinpool_data_percent{node="node-1",device_class="thin"} 12.5)",
           R"(topolvm_thinpool_metadata_percent{node="node-1",device_class="thin"} 2.5)",
           R"(topolvm_thinpool_size_bytes{node="node-1",device_class="thin"} 41943040)",
           R"(lvmd_thin_pool_state{device_class="thin",state="failed"} 1)",
           R"(lvmd_thin_pool_state{device_class="thin",state="ok"} 0)",
           R"(lvmd_volume_group_usable{volume_group="vg0"} 1)",
       })
    CHECK(has_line(text, line));
  CHECK(text.find("topolvm_thinpool_overprovisioned_available") == std::string::npos);
}

TEST_CASE("the problems of a group are counted [P-METRIC-3, P-METRIC-8]", "[server]") {
  ReadModel model{{"vg0", "vg1"}};
  auto raid = sample_volume("raid", model::LvRole::kPlain);
  raid.redundancy = model::Redundancy::kDegraded;
  auto state = sample_state("vg1", 1, 40, {raid});
  state.group->physical_volumes[0].missing = true;
  state.group->copies = {
      .longest_text = {1000}, .free = {20}, .damaged = std::vector<std::string>{"/dev/sdb: torn"}};
  model.apply(std::move(state));
  const std::string text =
      text_of(state_metrics(sample_catalog(), model, {{.volume_group = "vg1"}}, "node-1", {3}));
  INFO(text);
  for (const char* const line : {
           R"(lvmd_volume_group_usable{volume_group="vg1"} 0)",
           R"(lvmd_volume_group_missing_physical_volumes{volume_group="vg1"} 1)",
           R"(lvmd_volume_group_degraded_volumes{volume_group="vg1"} 1)",
           R"(lvmd_volume_group_out_of_sync_volumes{volume_group="vg1"} 0)",
           R"(lvmd_volume_group_unmonitored_pools{volume_group="vg1"} 0)",
           R"(lvmd_volume_group_metadata_size_bytes{volume_group="vg1"} 1000)",
           R"(lvmd_volume_group_metadata_free_bytes{volume_group="vg1"} 20)",
           R"(lvmd_volume_group_damaged_metadata_copies{volume_group="vg1"} 1)",
       })
    CHECK(has_line(text, line));
}
