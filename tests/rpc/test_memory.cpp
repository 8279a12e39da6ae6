// Limits of memory and log entries that one user can cause.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <future>
#include <string>

#include "tests/contract/scratch.hpp"
#include "tests/rpc/half_sent.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;
using namespace std::chrono_literals;

namespace {

// The limit of P-SOCK-25.
constexpr std::size_t kMostKib = 1U << 20U;
constexpr std::size_t kSentBytes = std::size_t{2} << 30U;
// Two of the user's 256 connections are left for callers that need an answer.
constexpr std::size_t kAttackers = 254;

// The value of a field of a file in /proc/PID, in KiB.
std::size_t memory_kib(pid_t pid, const std::string& file, const std::string& field) {
  std::ifstream text{fmt::format("/proc/{}/{}", pid, file)};
  std::string word;
  std::size_t size = 0;
  while (text >> word)
    if (word == field) text >> size;
  return size;
}

// The peak of the process's memory so far.
std::size_t peak_kib(pid_t pid) { return memory_kib(pid, "status", "VmHWM:"); }

// The private memory that the process has written to.
std::size_t private_kib(pid_t pid) { return memory_kib(pid, "smaps_rollup", "Private_Dirty:"); }

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Exceeds the limit with incomplete requests of 4 MiB while others call.
void attack(fakes::FakeNode& node, const std::string& socket, const std::string& path) {
  Client changer{node.socket()};
  Client reader{node.read_only_socket()};
  // Their connections exist before those of the attackers, which can be 256 at times: a closed
  // connection counts until gRPC has closed it, too.
  REQUIRE(reader.list("thick").ok());
  REQUIRE(changer.create(create_request("thick", "one", kExtent)).ok());
  HalfSent half_sent{{.socket = socket,
                      .path = path,
                      .connections = kAttackers,
                      .requests_per_connection = 2,
                      .announced = 4U << 20U,
                      .sent = 5U << 19U}};
  const auto attack = begin([&half_sent] { half_sent.send(kSentBytes, 60s); });
  int tries = 0;
  int served = 0;
  int changed = 0;
  while (attack.wait_for(20ms) != std::future_status::ready) {
    ++tries;
    if (reader.list("thick").ok()) ++served;
    if (changer.create(create_request("thick", "one", kExtent)).ok()) ++changed;
  }
  CAPTURE(half_sent.bytes_sent(), half_sent.refusals(), tries, served, changed);
  CHECK(half_sent.bytes_sent() >= kSentBytes);
  CHECK(half_sent.refusals() > 0);
  // The thread sanitizer's memory is a multiple of the program's.
#ifndef __SANITIZE_THREAD__
  CHECK(peak_kib(node.pid()) < kMostKib);
#endif
  CHECK(tries > 2);
  // Calls on the attacked socket may be ended; those on the other one must succeed.
  const int others = socket == node.socket() ? served : changed;
  CHECK(others > tries * 9 / 10);
  CHECK(node.log().find("because its incomplete requests take") != std::string::npos);
}

}  // namespace

TEST_CASE(
    "incomplete requests of a reader are ended at the limit, other callers are served [P-SOCK-25]",
    "[rpc]") {
  const auto node = start_node();
  attack(*node, node->read_only_socket(), "/proto.VGService/GetFreeBytes");
}

TEST_CASE("incomplete changes are ended at the limit, other callers are served [P-SOCK-25]",
          "[rpc]") {
  const auto node = start_node();
  attack(*node, node->socket(), "/proto.LVService/CreateLV");
}

TEST_CASE("the read-only socket accepts requests of at most 64 KiB [P-SOCK-20]", "[rpc]") {
  const auto node = start_node();
  Client reader{node->read_only_socket()};
  const auto refused = reader.list(std::string(65U << 10U, 'x'));
  CHECK(refused.code == Code::kResourceExhausted);
  CHECK(refused.says("65536"));
  const auto unknown = reader.list(std::string(63U << 10U, 'x'));
  CHECK(unknown.code == Code::kNotFound);
}

TEST_CASE("names that are not UTF-8 are refused, and do not fill the log [P-SOCK-26]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  for (int i = 0; i < 20; ++i) CHECK(client.list("\xff").code == Code::kInvalidArgument);
  CHECK(client.list("missing").code == Code::kNotFound);
  REQUIRE(eventually([&] { return node->log().find("GetLVList") != std::string::npos; }));
  CHECK(node->log().find("UTF-8") == std::string::npos);
}

TEST_CASE("the log has a part of a caller's calls, and the number of the others [P-SOCK-26]",
          "[rpc]") {
  constexpr int kCalls = 200;
  const auto node = start_node();
  Client client{node->socket()};
  const std::string name(4'000'000, 'x');
  CHECK(client.list(name).code == Code::kNotFound);
  REQUIRE(eventually([&] { return node->log().find("GetLVList") != std::string::npos; }));
  CHECK(node->log().size() < 16384);
  CHECK(node->log().find("bytes)") != std::string::npos);

  std::this_thread::sleep_for(1100ms);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) CHECK(client.list("missing").code == Code::kNotFound);
  const auto seconds =
      std::chrono::ceil<std::chrono::seconds>(std::chrono::steady_clock::now() - begin).count();
  // Reported within 10 s, and when lvmd stops.
  REQUIRE(node->send_stop());
  REQUIRE(node->wait_for_exit(5s) == 0);
  const std::string log = node->log();
  const auto written = count_of(log, "device-class not found: missing");
  CHECK(written >= 10);
  CHECK(written <= static_cast<std::size_t>(10 * (seconds + 1)));
  INFO(log);
  CHECK(log.find(fmt::format("uid {}: suppressed {} log entries", ::geteuid(), kCalls - written)) !=
        std::string::npos);
}

// The supervisor sends a ping every 5 s. A server that keeps some bytes of each grows without limit
// while it is idle.
TEST_CASE("the server's memory does not grow with the supervisor's pings [P-RUN-9]", "[rpc]") {
  constexpr int kPings = 2000;
  const auto node = start_node();
  const auto ping = [&node](int count) {
    for (int i = 0; i < count; ++i) REQUIRE(node->ping());
  };
  ping(kPings);
  const auto before = private_kib(node->pid());
  REQUIRE(before > 0);
  ping(kPings);
  // The sanitizers keep the history of freed memory.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  CHECK(private_kib(node->pid()) < before + 1024);
#endif
}
