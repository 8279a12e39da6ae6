// The metrics endpoint as a scraper uses it.
#include <sys/socket.h>

#include <array>
#include <catch2/catch.hpp>

#include "lvmd/base/unique_fd.hpp"
#include "tests/contract/scratch.hpp"
#include "tests/rpc/rig.hpp"
#include "tests/rpc/transfer_stage.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;
using namespace std::chrono_literals;

namespace {

bool has_line(const std::string& text, const std::string& line) {
  return text.find("\n" + line + "\n") != std::string::npos;
}

}  // namespace

TEST_CASE("a scrape has the metrics of groups, calls and restarts [P-METRIC-1]", "[rpc]") {
  const auto node = start_node_with_metrics();
  Client client{node->socket()};
  REQUIRE(client.create(create_request("thick", "pvc-1", kExtent)).ok());
  CHECK(client.create(create_request("thick", "a/b", kExtent)).code == Code::kInvalidArgument);
  REQUIRE(node->worker("vg_thick").announce_busy("lvcreate vg_thick/other", 2s));
  REQUIRE(node->worker("vg_thick").announce_idle());
  REQUIRE(node->by_hand("vg_thick", [](fakes::FakeGroup& vg) {
    vg.set_usage("pool", {.data_percent = 12.5, .metadata_percent = 3.25});
  }));
  REQUIRE(node->send_restarts("lvmd-worker vg_thick", 3));
  std::string text;
  REQUIRE(eventually([&] {
    text = scrape(node->metrics_socket());
    return text.find(R"(device_class="thin"} 3.25)") != std::string::npos &&
           has_line(text, R"(lvmd_child_restarts_total{child="lvmd-worker vg_thick"} 3)") &&
           text.find(R"(command="lvcreate",volume_group="vg_thick"} 1)") != std::string::npos;
  }));
  INFO(text);
  CHECK(text.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(has_line(text, R"(lvmd_rpc_total{code="OK",method="CreateLV"} 1)"));
  CHECK(has_line(text, R"(lvmd_rpc_total{code="INVALID_ARGUMENT",method="CreateLV"} 1)"));
  CHECK(has_line(text, R"(lvmd_volume_group_usable{volume_group="vg_absent"} 0)"));
  CHECK(has_line(text, R"(lvmd_volume_group_logical_volumes{volume_group="vg_thick"} 2)"));
  CHECK(text.find(R"(device_class="thin"} 12.5)") != std::string::npos);
  CHECK(text.find(R"(device_class="thin"} 3.25)") != std::string::npos);
  CHECK(text.find("pvc-1") == std::string::npos);
}

TEST_CASE("silent and broken scrapers delay neither other scrapers nor the end [P-METRIC-1]",
          "[rpc]") {
  const auto node = start_node_with_metrics();
  const UniqueFd silent = connect_to(node->metrics_socket());
  const UniqueFd large = connect_to(node->metrics_socket());
  const std::string endless(20'000, 'x');
  CHECK(::send(large.get(), endless.data(), endless.size(), MSG_NOSIGNAL) > 0);
  CHECK(scrape(node->metrics_socket()).starts_with("HTTP/1.1 200 OK\r\n"));
  const UniqueFd silent_again = connect_to(node->metrics_socket());
  REQUIRE(node->send_stop());
  CHECK(node->wait_for_exit(2s) == 0);
}

TEST_CASE("transfers are counted by operation and phase [P-METRIC-5, P-METRIC-6]", "[rpc]") {
  TransferStage stage{start_node_with_metrics()};
  REQUIRE(stage.client.start_backup(backup_request()).ok());
  const std::string text = scrape(stage.node->metrics_socket());
  CHECK(has_line(text, R"(lvmd_transfers{operation="backup",phase="pending"} 1)"));
  CHECK(has_line(text, R"(lvmd_transfers{operation="backup",phase="failed"} 0)"));
  CHECK(has_line(text, R"(lvmd_transfers{operation="delete",phase="running"} 0)"));
  CHECK(has_line(text, R"(lvmd_transfers{operation="check",phase="succeeded"} 0)"));
  CHECK(text.find("snap") == std::string::npos);
}
