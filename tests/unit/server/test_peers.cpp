#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>

#include "lvmd/server/peer_check.hpp"
#include "lvmd/server/peer_table.hpp"

using namespace lvmd;
using namespace lvmd::server;

namespace {

UniqueFd some_fd() { return UniqueFd{::open("/dev/null", O_RDONLY | O_CLOEXEC)}; }

std::string name_of(int fd) { return fmt::format("fd:{}", fd); }

constexpr const char* kSocket = "/run/one.sock";

}  // namespace

TEST_CASE("root may connect, other users by their primary or a supplementary group [P-SOCK-4]",
          "[server]") {
  const std::array<gid_t, 2> allowed{100, 200};
  CHECK(may_connect({.uid = 0, .gid = 0}, {}));
  CHECK(may_connect({.uid = 1, .gid = 100}, allowed));
  CHECK(may_connect({.uid = 1, .gid = 1, .groups = {7, 200}}, allowed));
  CHECK_FALSE(may_connect({.uid = 1, .gid = 1, .groups = {7}}, allowed));
  CHECK_FALSE(may_connect({.uid = 1, .gid = 0, .groups = {0}}, allowed));
  CHECK_FALSE(may_connect({.uid = 1, .gid = 100}, {}));
}

TEST_CASE("the credentials of a peer come from the kernel", "[server]") {
  std::array<int, 2> ends{};
  REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0);
  const UniqueFd here{ends[0]};
  const UniqueFd there{ends[1]};
  const auto peer = peer_credentials(here.get());
  REQUIRE(peer);
  CHECK(peer->pid == ::getpid());
  CHECK(peer->uid == ::geteuid());
  CHECK(peer->gid == ::getegid());
  CHECK_FALSE(peer_credentials(some_fd().get()));
}

TEST_CASE("a connection number is reused only after all others", "[server]") {
  PeerTable table{300, 303};
  auto first = table.enroll(some_fd(), kSocket, {.pid = 1});
  REQUIRE(first);
  CHECK(first->get() == 300);
  first->reset();
  const auto second = table.enroll(some_fd(), kSocket, {.pid = 2});
  REQUIRE(second);
  CHECK(second->get() == 301);
  const auto third = table.enroll(some_fd(), kSocket, {.pid = 3});
  REQUIRE(third);
  // A closed connection's peer stays known, for later log lines.
  CHECK(table.find(name_of(300))->pid == 1);
  const auto fourth = table.enroll(some_fd(), kSocket, {.pid = 4});
  REQUIRE(fourth);
  CHECK(fourth->get() == 300);
  CHECK(table.find(name_of(300))->pid == 4);
  CHECK(table.find(name_of(302))->pid == 3);

  const auto full = table.enroll(some_fd(), kSocket, {.pid = 5});
  REQUIRE_FALSE(full);
  CHECK(full.error().code == Code::kResourceExhausted);
}

TEST_CASE("a peer is found only by gRPC's name of a known connection", "[server]") {
  PeerTable table{310, 320};
  const auto connection = table.enroll(some_fd(), kSocket, {.pid = 1});
  REQUIRE(connection);
  CHECK(table.find("fd:310"));
  for (const auto* const name : {"", "fd:", "fd:311", "fd:310x", "unix:310", "310"})
    CHECK_FALSE(table.find(name));
}

TEST_CASE("the connections of a user are limited, and other users can still connect [P-SOCK-22]",
          "[server]") {
  PeerTable table{330, 340, 2};
  auto first = table.enroll(some_fd(), kSocket, {.pid = 1, .uid = 7});
  const auto second = table.enroll(some_fd(), kSocket, {.pid = 2, .uid = 7});
  REQUIRE(first);
  REQUIRE(second);
  const auto third = table.enroll(some_fd(), kSocket, {.pid = 3, .uid = 7});
  REQUIRE_FALSE(third);
  CHECK(third.error().code == Code::kResourceExhausted);
  CHECK(third.error().message.find("uid 7 has 2 connections open, which is the limit") == 0);
  CHECK(table.enroll(some_fd(), kSocket, {.pid = 4, .uid = 8}));
  CHECK(table.enroll(some_fd(), "/run/other.sock", {.pid = 5, .uid = 7}));
  first->reset();
  CHECK(table.enroll(some_fd(), kSocket, {.pid = 6, .uid = 7}));
}
