// Access to the sockets.
#include <grp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>

#include "lvmd/base/unique_fd.hpp"
#include "tests/contract/scratch.hpp"
#include "tests/rpc/rig.hpp"

using namespace lvmd;
using namespace lvmd::contract;
using namespace lvmd::rpc;

namespace {

constexpr uid_t kNobody = 65534;
constexpr gid_t kSomeGroup = 54321;
constexpr gid_t kOtherGroup = 54322;

enum class Welcome { kServed, kRefused, kBroken };

// Connects and checks whether the server speaks HTTP/2. Only system calls: it runs in a forked
// child.
Welcome knock(const sockaddr_un& address) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  if (fd < 0 || ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return Welcome::kBroken;
  const timeval limit{.tv_sec = 20, .tv_usec = 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  constexpr std::string_view kGreeting{"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", 33};
  // A refused connection may be closed before or after this.
  if (::send(fd, kGreeting.data(), kGreeting.size(), MSG_NOSIGNAL) < 0) return Welcome::kRefused;
  char byte = 0;
  const ssize_t got = ::recv(fd, &byte, 1, 0);
  if (got > 0) return Welcome::kServed;
  return got == 0 || errno == ECONNRESET ? Welcome::kRefused : Welcome::kBroken;
}

// knock() as a user without privilege in these groups.
Welcome knock_as(const std::string& path, gid_t group, const std::vector<gid_t>& supplementary) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgroups(supplementary.size(), supplementary.data()) != 0 ||
        ::setresgid(group, group, group) != 0 || ::setresuid(kNobody, kNobody, kNobody) != 0)
      ::_exit(static_cast<int>(Welcome::kBroken));
    ::_exit(static_cast<int>(knock(address)));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? static_cast<Welcome>(WEXITSTATUS(status)) : Welcome::kBroken;
}

}  // namespace

TEST_CASE("root and members of the group may connect, other users are refused [P-SOCK-4, P-SOCK-5]",
          "[rpc]") {
  if (::geteuid() != 0) {
    // Without root: the user of this process, with and without its group in the list.
    const auto open_node = start_node();
    CHECK(Client{open_node->socket()}.list("thick").ok());
    const auto closed_node = start_node({}, {});
    CHECK(Client{closed_node->socket()}.list("thick").code == Code::kUnavailable);
    return;
  }
  const auto node = start_node({kSomeGroup}, {kSomeGroup, kOtherGroup});
  CHECK(Client{node->socket()}.list("thick").ok());
  CHECK(knock_as(node->socket(), kSomeGroup, {}) == Welcome::kServed);
  CHECK(knock_as(node->socket(), kNobody, {1, 2, kSomeGroup}) == Welcome::kServed);
  CHECK(knock_as(node->socket(), kNobody, {}) == Welcome::kRefused);
  CHECK(knock_as(node->socket(), kOtherGroup, {1, 2}) == Welcome::kRefused);
  CHECK(knock_as(node->read_only_socket(), kNobody, {kOtherGroup}) == Welcome::kServed);
  CHECK(knock_as(node->read_only_socket(), kNobody, {}) == Welcome::kRefused);
  // More groups than fit the first buffer.
  std::vector<gid_t> many(100, 1);
  many.push_back(kSomeGroup);
  CHECK(knock_as(node->socket(), kNobody, many) == Welcome::kServed);
  CHECK(node->log().find("refused uid 65534") != std::string::npos);
  CHECK(Client{node->socket()}.list("thick").ok());
  // Without groups only root may connect.
  const auto root_only = start_node({}, {});
  CHECK(Client{root_only->socket()}.list("thick").ok());
  CHECK(knock_as(root_only->socket(), kNobody, {kSomeGroup}) == Welcome::kRefused);
}

TEST_CASE("the read-only socket has no LVService and no MountService [P-SOCK-2]", "[rpc]") {
  const auto node = start_node();
  Client client{node->read_only_socket()};
  CHECK(client.list("thick").ok());
  CHECK(client.free_bytes("thin").ok());
  CHECK(client.watch()->next(kLimit));
  CHECK(client.health("vg/vg_thick").response == Health::kServing);
  CHECK(client.create(create_request("thick", "one", kExtent)).code == Code::kUnimplemented);
  CHECK(client.remove(remove_request("thick", "one")).code == Code::kUnimplemented);
  CHECK(client.list_mounts().code == Code::kUnimplemented);
  const auto services = client.reflected_services();
  REQUIRE(services.ok());
  CHECK(std::ranges::count(services.response, "proto.VGService") == 1);
  CHECK(std::ranges::count(services.response, "lvmd.v1.MountService") == 0);
  CHECK(std::ranges::count(services.response, "proto.LVService") == 0);
}

TEST_CASE("hundreds of connections come and go", "[rpc]") {
  const auto node = start_node();
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 100; ++i) {
      clients.push_back(std::make_unique<Client>(node->socket()));
      REQUIRE(clients.back()->free_bytes("thick").ok());
    }
  }
  CHECK(node->log().find("pauses") == std::string::npos);
}

TEST_CASE("the log names method, volume, code and peer of a change [E-SEEN-1]", "[rpc]") {
  const auto node = start_node();
  Client client{node->socket()};
  REQUIRE(client.create(create_request("thick", "one", kExtent)).ok());
  REQUIRE(eventually(
      [&] { return node->log().find("CreateLV vg_thick/one: OK") != std::string::npos; }));
  const std::string log = node->log();
  const std::string line = log.substr(log.find("CreateLV vg_thick/one: OK"));
  CHECK(line.find(fmt::format("LVMD_PEER_PID={} ", ::getpid())) != std::string::npos);
  CHECK(line.find(fmt::format("LVMD_PEER_UID={} ", ::getuid())) != std::string::npos);
}
