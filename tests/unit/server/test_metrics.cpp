#include <catch2/catch.hpp>

#include "lvmd/server/metrics.hpp"
#include "tests/unit/server/metrics_text.hpp"

using namespace lvmd;
using namespace lvmd::server;
using namespace std::chrono_literals;

TEST_CASE("calls are counted by method and code, and timed [P-METRIC-4]", "[server]") {
  Metrics metrics;
  metrics.call_finished("CreateLV", Code::kOk, 30ms);
  metrics.call_finished("CreateLV", Code::kOk, 300ms);
  metrics.call_finished("CreateLV", Code::kAborted, 6s);
  const std::string text = text_of(metrics.collect());
  INFO(text);
  CHECK(has_line(text, R"(lvmd_rpc_total{code="OK",method="CreateLV"} 2)"));
  CHECK(has_line(text, R"(lvmd_rpc_total{code="ABORTED",method="CreateLV"} 1)"));
  CHECK(has_line(text, R"(lvmd_rpc_duration_seconds_count{method="CreateLV"} 3)"));
  CHECK(has_line(text, R"(lvmd_rpc_duration_seconds_bucket{method="CreateLV",le="0.05"} 1)"));
  CHECK(has_line(text, R"(lvmd_rpc_duration_seconds_bucket{method="CreateLV",le="0.5"} 2)"));
}

TEST_CASE("LVM commands are counted by command name, never by volume [P-METRIC-4, P-METRIC-5]",
          "[server]") {
  Metrics metrics;
  metrics.command_finished("vg0", "lvcreate vg0/pvc-1", 200ms);
  metrics.command_finished("vg0", "lvcreate vg0/pvc-2", 200ms);
  const std::string text = text_of(metrics.collect());
  INFO(text);
  CHECK(has_line(
      text, R"(lvmd_lvm_command_duration_seconds_count{command="lvcreate",volume_group="vg0"} 2)"));
  CHECK(text.find("pvc-1") == std::string::npos);
}

TEST_CASE("the metrics have the restarts of each child [P-METRIC-4]", "[server]") {
  Metrics metrics;
  metrics.set_restarts("lvmd-observer", 0);
  metrics.set_restarts("lvmd-worker vg0", 3);
  const std::string text = text_of(metrics.collect());
  INFO(text);
  CHECK(has_line(text, "# TYPE lvmd_child_restarts_total counter"));
  CHECK(has_line(text, R"(lvmd_child_restarts_total{child="lvmd-observer"} 0)"));
  CHECK(has_line(text, R"(lvmd_child_restarts_total{child="lvmd-worker vg0"} 3)"));
}
