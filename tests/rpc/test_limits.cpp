// Limits that protect clients from each other.
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "lvmd/base/unique_fd.hpp"
#include "tests/contract/scratch.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;
using namespace std::chrono_literals;

namespace {

constexpr int kMaxConnections = 256;

// gRPC sends its preface to an accepted client; a refused client sees the end of the connection.
bool is_greeted(const UniqueFd& fd) {
  char byte = 0;
  return ::recv(fd.get(), &byte, 1, MSG_PEEK) == 1;
}

}  // namespace

TEST_CASE("the connections of a user are limited; closing one permits another [P-SOCK-22]",
          "[rpc]") {
  const auto node = start_csi_node();
  std::vector<UniqueFd> connections;
  for (int i = 0; i < kMaxConnections; ++i) {
    connections.push_back(connect_to(node->socket()));
    REQUIRE(is_greeted(connections.back()));
  }
  CHECK_FALSE(is_greeted(connect_to(node->socket())));
  CHECK_FALSE(is_greeted(connect_to(node->socket())));
  // kubelet is root, as an administrator is.
  CHECK(is_greeted(connect_to(node->csi_socket())));
  const std::string text = fmt::format("{} connections open, which is the limit", kMaxConnections);
  const std::string log = node->log();
  const auto first = log.find(text);
  REQUIRE(first != std::string::npos);
  CHECK(log.find(text, first + 1) == std::string::npos);

  connections.pop_back();
  CHECK(eventually([&] { return is_greeted(connect_to(node->socket())); }));
}

TEST_CASE(
    "a request larger than 4 MiB is refused, and the error names the limit [P-WIRE-7, P-SOCK-20]",
    "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  auto request = create_request("thick", std::string(5U << 20U, 'x'), kExtent);
  const auto refused = client.create(request);
  CHECK(refused.code == Code::kResourceExhausted);
  CHECK(refused.says("4194304"));
  CHECK(client.list("thick").ok());
}

TEST_CASE("more tags than fit into a command are refused, and the error names the limit [P-NAME-6]",
          "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  auto request = create_request("thick", "one", kExtent);
  for (int i = 0; i < 64; ++i) request.add_tags(fmt::format("t{}", i));
  const auto refused = client.create(request);
  CHECK(refused.code == Code::kInvalidArgument);
  CHECK(refused.reason == "TOO_MANY_TAGS");
  CHECK(refused.metadata.at("limit") == "63");
}

TEST_CASE(
    "the streams of a connection are limited, and further ones wait for one to end [P-SOCK-21]",
    "[rpc]") {
  constexpr std::size_t kMaxStreams = 256;
  const auto node = start_node();
  Client client{node->socket()};
  std::vector<std::unique_ptr<Stream<proto::WatchResponse>>> watches;
  for (std::size_t i = 0; i < kMaxStreams; ++i) {
    watches.push_back(client.watch());
    REQUIRE(watches.back()->next(kLimit));
  }
  // The stream waits in the client, which can't even begin it.
  auto late = begin([&] { return client.watch(); });
  CHECK(late.wait_for(200ms) == std::future_status::timeout);
  watches.pop_back();
  REQUIRE(late.wait_for(kLimit) == std::future_status::ready);
  CHECK(late.get()->next(kLimit));
}
