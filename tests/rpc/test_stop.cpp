// Start and end of the server.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>

#include "lvmd/base/unique_fd.hpp"
#include "tests/contract/scratch.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;
using namespace std::chrono_literals;

namespace {

struct Run {
  int status = -1;
  std::string output;
};

// Runs lvmd-server with these arguments and an empty standard input; returns stdout and stderr
// together.
Run run_server(const std::string& arguments) {
  // NOLINTNEXTLINE(cert-env33-c): the arguments of a case, with redirections
  FILE* const pipe = ::popen((server_path() + " " + arguments + " </dev/null 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  Run run;
  std::array<char, 256> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) run.output += buffer.data();
  run.status = WEXITSTATUS(::pclose(pipe));
  return run;
}

}  // namespace

TEST_CASE("open streams end with UNAVAILABLE and the server within 2 s [P-STOP-2, P-WATCH-6]",
          "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  Client reader{node->read_only_socket()};
  const auto watch = client.watch();
  const auto slow = client.watch_without_reading();
  const auto health = reader.watch_health("");
  REQUIRE(watch->next(kLimit));
  REQUIRE(health->next(kLimit));
  REQUIRE(node->send_stop());
  const auto exit = node->wait_for_exit(2s);
  REQUIRE(exit);
  CHECK(*exit == 0);
  const auto end = watch->end(kLimit);
  REQUIRE(end);
  CHECK(end->code == Code::kUnavailable);
  CHECK(end->says("stopping"));
  const auto health_end = health->end(kLimit);
  REQUIRE(health_end);
  CHECK(health_end->code == Code::kUnavailable);
}

TEST_CASE("silent clients do not delay the end [P-STOP-2]", "[rpc]") {
  const auto node = start_node();
  const UniqueFd mute = connect_to(node->socket());
  const UniqueFd half_greeted = connect_to(node->socket());
  const UniqueFd mute_reader = connect_to(node->read_only_socket());
  REQUIRE(::send(half_greeted.get(), "PRI * HT", 8, MSG_NOSIGNAL) == 8);
  // Connections are accepted in order: when this one is served, those before it are too.
  REQUIRE(Client{node->socket()}.list("thick").ok());
  REQUIRE(node->send_stop());
  CHECK(node->wait_for_exit(2s) == 0);
}

TEST_CASE("a running change is answered before the server ends, new ones are refused [P-STOP-2]",
          "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  fakes::FakeWorker& worker = node->worker("vg_thick");
  worker.hold();
  const auto watch = client.watch();
  auto running = begin([&] { return client.create(create_request("thick", "one", kExtent)); });
  REQUIRE(worker.wait_for_requests(1, kLimit));
  REQUIRE(node->send_stop());
  REQUIRE(watch->end(kLimit));
  const auto refused = client.create(create_request("striped", "two", kExtent));
  CHECK(refused.code == Code::kUnavailable);
  CHECK(refused.says("stopping"));
  CHECK_FALSE(node->wait_for_exit(100ms));
  worker.release();
  CHECK(running.get().ok());
  CHECK(node->wait_for_exit(2s) == 0);
}

TEST_CASE("without its supervisor the server ends", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  node->worker("vg_thick").hold();
  auto running = begin([&] { return client.create(create_request("thick", "one", kExtent)); });
  REQUIRE(node->worker("vg_thick").wait_for_requests(1, kLimit));
  node->close_control_channel();
  CHECK(node->wait_for_exit(5s) == 0);
  CHECK_FALSE(running.get().ok());
}

TEST_CASE(
    "a server with another version than its supervisor ends, and the log names both [P-RUN-22]",
    "[rpc]") {
  const auto node = fakes::FakeNode::start({.server = server_path(),
                                            .full_groups = {::getegid()},
                                            .read_only_groups = {::getegid()},
                                            .version = "9.9.9"});
  REQUIRE_FALSE(node);
  CHECK(node.error().message.find("started by lvmd 9.9.9") != std::string::npos);
  CHECK(node.error().message.find(fmt::format("belongs to lvmd {}", ipc::version())) !=
        std::string::npos);
}

TEST_CASE("lvmd-server prints help and version, and refuses to start by hand", "[rpc]") {
  const Run help = run_server("--help");
  CHECK(help.status == 0);
  CHECK(help.output.find("Usage: lvmd-server") == 0);
  const Run version = run_server("--version");
  CHECK(version.status == 0);
  CHECK(version.output.find("lvmd-server ") == 0);
  const Run unknown = run_server("--wrong");
  CHECK(unknown.status != 0);
  CHECK(unknown.output.find("--wrong") != std::string::npos);
  const Run alone = run_server("");
  CHECK(alone.status != 0);
  CHECK(alone.output.find("control channel") != std::string::npos);
}
